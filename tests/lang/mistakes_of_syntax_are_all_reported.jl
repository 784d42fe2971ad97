a = 1
b = ]          # expect error E0201
c = a b        # expect error E0201
d = 4
for i in
end            # expect error E0201
