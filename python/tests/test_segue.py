"""What people do with the package, and what it answers when they do it wrong."""

import copy
import math
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import segue

try:
    import numpy
except ImportError:
    numpy = None

RC = """
using Modia
include("$(Modia.modelsPath)/Electric.jl")
Filter = Model(R = Resistor | Map(R = 0.5u"Ω"), C = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V")),
    V = ConstantVoltage | Map(V = 10.0u"V"), ground = Ground,
    connect = :[ (V.p, R.p); (R.n, C.p); (C.n, V.n, ground.p) ])
filter = @instantiateModel(Filter)
simulate!(filter, stopTime = 10.0)
"""

DRIVEN = """
using Modia
Driven = Model(k = 4.0, u = Var(input = true, start = 0.0), x = Var(init = 1.0), v = Var(init = 0.0),
    y = Var(output = true), equations = :[der(x) = v; der(v) = -k*x + u; y = 2*x])
"""

VECTORS = """
using Modia
Vectors = Model(A = [0.0 1.0; -4.0 0.0], gain = 2, on = true, r = Var(init = [1.0, 0.0]),
    equations = :[der(r) = A*r; z = gain*r; h = if on; r[1] else 0.0 end])
"""

BALL = """
using Modia
Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0),
    equations = :[der(h) = v; der(v) = -9.81; hit = positive(-h)
                  up = if edge(hit); reinit(v, -0.7*v) else false end])
"""

TWO_BALLS = """
using Modia3D
Drop = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = Solid(
        shape = Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.5], feature = Solid(
        shape = Sphere(diameter = 0.2), solidMaterial = "DryWood", collision = true)))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.5, tolerance = 1e-6)
"""

SLOW = """
using Modia
Slow = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[der(x) = v; der(v) = -1e6*x])
"""


def close_to(a, b, tolerance):
    return abs(a - b) <= tolerance


class Models(unittest.TestCase):
    def test_a_run_ends_where_the_closed_form_says(self):
        r = segue.loads(RC).run(stop=5, tolerance=1e-8)
        self.assertTrue(close_to(r["C.v"][-1], 10 - 9.9 * math.exp(-5), 1e-6))
        self.assertEqual(r.time[-1], 5.0)
        self.assertEqual(r.unit("C.v"), "V")

    def test_what_the_text_says_holds_where_nothing_is_given(self):
        m = segue.loads(RC)
        self.assertEqual(m.run().time[-1], 10.0)
        m.run(stop=1)
        self.assertEqual(m.run().time[-1], 10.0)
        self.assertEqual(m.experiment.stop, 10.0)

    def test_numbers_and_texts_with_units_set_parameters(self):
        m = segue.loads(RC)
        for value, expected in ((5, 5.0), (2.5, 2.5), ("3 Ω", 3.0), ("2 kΩ", 2000.0), ('4u"Ω"', 4.0), ("2 + 3", 5.0)):
            m["R.R"] = value
            self.assertEqual(m["R.R"], expected)
        r = m.run(stop=10, tolerance=1e-8)
        self.assertTrue(close_to(r["C.v"][-1], 10 - 9.9 * math.exp(-1), 1e-6))
        m["C.v"] = "3 V"
        r = m.run(stop=10, tolerance=1e-8)
        self.assertEqual(r["C.v"][0], 3.0)

    def test_a_unit_that_does_not_fit_is_refused(self):
        m = segue.loads(RC)
        with self.assertRaises(segue.Error):
            m["R.R"] = "3 kg"
            m.run()
        m["R.R"] = 1.0
        self.assertTrue(m.run().finished)

    def test_vectors_and_matrices_keep_their_order(self):
        m = segue.loads(VECTORS)
        self.assertEqual([list(row) for row in m["A"].tolist()], [[0.0, 1.0], [-4.0, 0.0]])
        m["A"] = [[0.0, 1.0], [-9.0, 0.0]]
        r = m.run(stop=1, tolerance=1e-9)
        last = r["r"][-1] if numpy else [r["r"][r.n_points - 1, k] for k in range(2)]
        self.assertTrue(close_to(last[0], math.cos(3), 1e-6) and close_to(last[1], -3 * math.sin(3), 1e-5))
        self.assertTrue(close_to(r["r[2]"][-1], -3 * math.sin(3), 1e-5))
        self.assertEqual(r.parameters["gain"], 2.0)
        self.assertEqual(r.parameters["A"].tolist(), [[0.0, 1.0], [-9.0, 0.0]])

    def test_booleans_and_integers(self):
        m = segue.loads(VECTORS)
        m["on"] = False
        m["gain"] = 3
        r = m.run(stop=1)
        self.assertEqual(max(abs(x) for x in r["h"]), 0.0)
        with self.assertRaisesRegex(segue.UsageError, "whole number"):
            m["gain"] = 2.5
        with self.assertRaisesRegex(segue.UsageError, "true or false"):
            m["on"] = 7

    def test_mistakes_are_told_in_words(self):
        m = segue.loads(VECTORS)
        with self.assertRaisesRegex(KeyError, "did you mean 'gain'"):
            m["gian"] = 1
        with self.assertRaisesRegex(segue.UsageError, "'r' has 2 elements, and 3 were given"):
            m["r"] = [1, 2, 3]
        with self.assertRaisesRegex(segue.UsageError, "not finite"):
            m["gain"] = float("nan")
        with self.assertRaisesRegex(TypeError, "not NoneType"):
            m["gain"] = None
        with self.assertRaisesRegex(TypeError, "a name is a str"):
            m[3] = 1
        with self.assertRaisesRegex(ValueError, "rows of a matrix"):
            m["A"] = [[1, 2], [3]]
        with self.assertRaisesRegex(segue.UsageError, "did you mean 'Tsit5'"):
            m.run(stop=1, solver="Tsit6")
        with self.assertRaisesRegex(TypeError, "stop must be a number"):
            m.run(stop="soon")
        with self.assertRaisesRegex(segue.UsageError, "no stop time"):
            m.run()
        with self.assertRaises(TypeError):
            m.run(stpo=1)
        r = m.run(stop=1)
        with self.assertRaisesRegex(KeyError, "did you mean 'z'"):
            r["zz"]
        with self.assertRaises(KeyError):
            r["r[7]"]
        with self.assertRaisesRegex(TypeError, "did you mean 'heading'"):
            r.plot("z", headnig="x")

    def test_errors_have_message_file_and_line(self):
        with self.assertRaises(segue.ModelError) as caught:
            segue.loads("using Modia\nA = Model(x = Var(init = 1.0),\n  equations = :[der(x) = -nonsense(x)])\n"
                        "a = @instantiateModel(A)\n", file="wrong.jl")  # fmt: skip
        e = caught.exception
        self.assertEqual((e.file, e.line), ("wrong.jl", 3))
        self.assertIn("nonsense", e.message)
        self.assertRegex(e.code, r"E\d{4}")
        self.assertIn("wrong.jl:3", str(e))
        with self.assertRaises(segue.FileError) as caught:
            segue.load("not_there.jl")
        self.assertIsInstance(caught.exception, OSError)
        self.assertIn("not_there.jl", str(caught.exception))

    def test_warnings_are_warnings_of_python(self):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            m = segue.loads(RC)
            m["R.R"] = -1.0
            m.run(stop=1)
        texts = [str(w.message) for w in seen if issubclass(w.category, segue.SegueWarning)]
        self.assertTrue(any("negative resistance" in t for t in texts), texts)
        self.assertTrue(all(w.filename == __file__ for w in seen), [w.filename for w in seen])
        with self.assertRaises(segue.CheckError):
            m2 = segue.loads(RC)
            m2["R.R"] = -1.0
            m2.run(stop=1, strict=True)

    def test_a_closed_model_says_so_and_its_results_live_on(self):
        m = segue.loads(RC)
        r = m.run(stop=1)
        m.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            m.run()
        self.assertEqual(r["C.v"][0], 0.1)
        m.close()
        self.assertIn("closed", repr(m))

    def test_a_failing_run_keeps_what_it_has(self):
        m = segue.loads("using Modia\nBlowUp = Model(x = Var(init = 1.0), equations = :[der(x) = x*x])\n")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaises(segue.SolverError) as caught:
                m.run(stop=2)
        self.assertTrue(0.9 < caught.exception.result.time[-1] <= 1.0)
        self.assertIs(caught.exception.result, m.result)
        self.assertFalse(m.result.finished)
        self.assertTrue(m.run(stop=0.5).finished)

    def test_limits(self):
        m = segue.loads(SLOW)
        with self.assertRaises(segue.LimitError):
            m.run(stop=1e5, interval=1000, tolerance=1e-9, max_time=0.3)
        self.assertTrue(m.run(stop=0.01).finished)

    def test_options_of_the_command(self):
        m = segue.loads(DRIVEN)
        r = m.run(stop=2, signals=["x", "v*"], interval=0.5)
        self.assertEqual(sorted(r), ["v", "x"])
        self.assertEqual(list(r.time), [0.0, 0.5, 1.0, 1.5, 2.0])
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "u.csv")
            with open(table, "w") as file:
                file.write("time,u\n0,4\n10,4\n")
            r = m.run(stop=1, tolerance=1e-9, input=table, set={"x": 0.0})
            self.assertTrue(close_to(r["x"][-1], 1 - math.cos(2), 1e-6))
            r = m.run(stop=1, tolerance=1e-9)  # the table is gone
            self.assertTrue(close_to(r["x"][-1], 0.0, 1e-9))
            m.run(stop=1, output=os.path.join(folder, "a.segue"))
            self.assertEqual(segue.open(os.path.join(folder, "a.segue")).time[-1], 1.0)
        seen = []
        slow = segue.loads(SLOW)
        slow.run(stop=20, interval=1, tolerance=1e-9, progress=seen.append, max_time=30)
        self.assertTrue(not seen or all(0 <= t <= 20 for t in seen))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            m.run(stop=1, converge=True)
        self.assertEqual([str(w.message) for w in told if issubclass(w.category, RuntimeWarning)], [])
        m.run(stop=1, check_patterns=True, atol=1e-9, start=0.5, solver="IDA", max_cpu_time=100, max_events=100, force=True)
        self.assertEqual(m.result.time[0], 0.5)

    def test_what_a_model_prints_goes_to_stdout(self):
        import contextlib
        import io

        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            segue.loads(RC + 'println("hello")\n').run(stop=1, log="statistics")
        self.assertIn("hello", out.getvalue())
        self.assertIn("nResults", out.getvalue().replace("Result", "nResults"))

    def test_copies_and_pickles_have_the_same_values(self):
        m = segue.loads(RC)
        m["R.R"] = "2 Ω"
        m["C.v"] = 3.0
        expected = m.run(stop=1)["C.v"][-1]
        for twin in (m.copy(), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
            self.assertEqual(twin.run(stop=1)["C.v"][-1], expected)

    def test_everything_has_a_repr(self):
        m = segue.loads(DRIVEN)
        r = m.run(stop=1)
        for thing in (m, m.parameters, m.parameters["k"], m.inputs, m.states, m.outputs, r, r.signals, r.plot("x")):
            self.assertNotIn("object at 0x", repr(thing))
        self.assertIn("k", m._repr_html_())
        self.assertIn("inputs", m._repr_html_())
        with m.start() as s:
            self.assertIn("0 s of", repr(s))
            self.assertIn("bytes", repr(s.save()))
        self.assertIn("over", repr(s))


class Results(unittest.TestCase):
    def test_arrays_share_memory(self):
        r = segue.loads(RC).run(stop=1)
        a = r["C.v"]
        if numpy:
            self.assertTrue(numpy.shares_memory(a, r["C.v"]))
            self.assertTrue(numpy.shares_memory(a, numpy.asarray(memoryview(a))))
            self.assertFalse(a.flags.writeable)
            del r
            import gc

            gc.collect()
            self.assertEqual(a[0], 0.1)
        self.assertEqual(memoryview(a).format, "d")
        self.assertEqual(memoryview(a).nbytes, 8 * len(a))

    def test_files_are_read_back(self):
        r = segue.loads(BALL).run(stop=2, tolerance=1e-8)
        with tempfile.TemporaryDirectory() as folder:
            for suffix in ("segue", "csv", "arrow", "json", "mat"):
                path = os.path.join(folder, "x." + suffix)
                r.save(path)
                back = segue.open(path)
                self.assertEqual(len(back.time), len(r.time))
                self.assertTrue(all(a == b for a, b in zip(back["h"], r["h"])), suffix)
                self.assertEqual(r.compare(back, rtol=1e-12, signals="h"), [])
            r.save(os.path.join(folder, "one.csv"), signals=["h"])
            self.assertEqual(list(segue.open(os.path.join(folder, "one.csv"))), ["h"])
            with self.assertRaises(segue.FileError):
                segue.open(os.path.join(folder, "not_there.segue"))
            with self.assertRaises(segue.Error):
                r.save(os.path.join(folder, "x.unknown"))
        twin = pickle.loads(pickle.dumps(r))
        self.assertEqual(list(twin["v"]), list(r["v"]))

    def test_events_are_those_of_the_run(self):
        r = segue.loads(BALL).run(stop=1, tolerance=1e-8)
        first = next(e for e in r.events if e.kind == "state")
        self.assertTrue(close_to(first.time, math.sqrt(2 / 9.81), 1e-6))
        self.assertEqual(r.time[first.point], first.time)
        self.assertEqual(len(r.segments), 1)
        self.assertGreater(r.statistics["nStateEvents"], 0)

    def test_contacts_of_bodies(self):
        r = segue.loads(TWO_BALLS).run()
        self.assertEqual({r.contacts[0].object1, r.contacts[0].object2}, {"ball", "floor"})
        self.assertTrue(close_to(r.contacts[0].begin, math.sqrt(2 * 0.4 / 9.81), 1e-4))
        self.assertTrue(close_to(r.contacts[0].speed, math.sqrt(2 * 9.81 * 0.4), 1e-3))
        with tempfile.TemporaryDirectory() as folder:
            r.save(os.path.join(folder, "scene.glb"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "scene.glb")), 500)

    def test_the_page_shows_itself(self):
        r = segue.loads(TWO_BALLS).run()
        page = r._repr_html_()
        self.assertTrue(page.startswith("<iframe") or page.startswith("<img"), page[:50])
        self.assertIn("data:image/svg+xml", r.plot("ball.translation")._repr_html_())

    def test_figures_are_svg(self):
        r = segue.loads(DRIVEN).run(stop=3)
        figure = r.plot("x", ["v", "y"], heading="a heading", events=True, width=400)
        self.assertIn("<svg", figure.svg)
        self.assertIn("a heading", figure.svg)
        self.assertIn("<svg", r.plot().svg)
        self.assertIn("<svg", r.plot("*", against=[r]).svg)
        with self.assertRaisesRegex(KeyError, "no signal 'xx'"):
            r.plot("xx")
        with tempfile.TemporaryDirectory() as folder:
            r.plot("x", to=os.path.join(folder, "x.svg"))
            figure.save(os.path.join(folder, "y.svg"))
            self.assertEqual(len(os.listdir(folder)), 2)

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        r = segue.loads(VECTORS).run(stop=1)
        frame = r.to_pandas()
        self.assertIn("r[1]", frame.columns)
        self.assertEqual(frame.index.name, "time")
        self.assertEqual(frame["r[1]"].iloc[0], 1.0)
        self.assertEqual(list(r.to_pandas("h").columns), ["h"])


class Steps(unittest.TestCase):
    def test_stepping_arrives_where_a_run_does(self):
        m = segue.loads(DRIVEN)
        with m.start(stop=2, tolerance=1e-9) as s:
            while not s.done:
                s.step(0.01)
            x = s.get("x")
        self.assertTrue(close_to(x, math.cos(4), 1e-6))
        self.assertTrue(close_to(s.result["x"][-1], math.cos(4), 1e-6))
        self.assertIs(m.result, s.result)

    def test_inputs_and_outputs_by_arrays(self):
        m = segue.loads(DRIVEN)
        with m.start(tolerance=1e-9) as s:
            u, y = s.inputs("u"), s.outputs("x", "v", "y")
            self.assertEqual((u[0], y[0], y[2]), (0.0, 1.0, 2.0))
            u[0] = 4.0  # the place of rest: x = 1
            s.step(1.0)
            self.assertTrue(close_to(y[0], 1.0, 1e-6) and close_to(y[2], 2.0, 1e-6))
            self.assertEqual(s.time, 1.0)
            u[0] = 0.0
            s.step_to(1.0 + math.pi / 4)
            self.assertTrue(close_to(y[0], 0.0, 1e-6), y[0])
            self.assertEqual(s.get("u"), 0.0)
            with self.assertRaisesRegex(KeyError, "did you mean"):
                s.outputs("xx")
            with self.assertRaisesRegex(KeyError, "no input"):
                s.inputs("x")

    def test_values_by_name(self):
        m = segue.loads(DRIVEN)
        with m.start() as s:
            s.set("u", 4.0)
            s.step(0.5)
            self.assertTrue(close_to(s.get("x"), 1.0, 1e-3))
            self.assertTrue(close_to(s["y"], 2.0, 2e-3))
            with self.assertRaisesRegex(KeyError, "no signal, parameter or input"):
                s.get("nothing")
            with self.assertRaisesRegex(segue.UsageError, "is no input"):
                s.set("k", 1.0)
            with self.assertRaisesRegex(TypeError, "takes numbers"):
                s.set("u", "1")
            with self.assertRaisesRegex(segue.UsageError, "not finite"):
                s.set("u", float("inf"))
            with self.assertRaises(segue.UsageError):
                s.step(-1.0)
            with self.assertRaises(TypeError):
                s.step("1")
            self.assertTrue(s.step() > 0.5)
            self.assertGreater(s.now.n_steps, 0)
        with self.assertRaisesRegex(ValueError, "over"):
            s.step(0.1)
        with self.assertRaisesRegex(ValueError, "over"):
            s.get("x")

    def test_saved_states_have_the_same_future_bit_by_bit(self):
        m = segue.loads(BALL)
        with m.start(stop=3) as s:
            s.step(0.7)
            state = pickle.loads(pickle.dumps(s.save()))
            s.step(1.0)
            first = s.get("h")
            s.restore(state)
            self.assertEqual(s.time, 0.7)
            s.step(1.0)
            self.assertEqual(s.get("h"), first)
            with self.assertRaises(TypeError):
                s.restore(b"nonsense")
            with self.assertRaises(segue.Error):
                s.restore(segue.State(b"nonsense", 0.0))

    def test_another_start_ends_the_first(self):
        m = segue.loads(DRIVEN)
        first = m.start(stop=1)
        first.step(0.5)
        second = m.start(stop=1)
        self.assertTrue(first.closed)
        with self.assertRaises(ValueError):
            first.step(0.1)
        second.step(0.1)
        self.assertEqual(m.run(stop=1).time[-1], 1.0)
        self.assertTrue(second.closed)

    def test_every_step_is_a_point(self):
        m = segue.loads(DRIVEN)
        with m.start(tolerance=1e-9) as s:
            for _ in range(10):
                s.step(0.1)
        self.assertEqual(s.result.n_points, 11)
        self.assertTrue(all(close_to(x, math.cos(2 * t), 1e-6) for t, x in zip(s.result.time, s.result["x"])))
        self.assertTrue(close_to(s.result.time[-1], 1.0, 1e-12))

    def test_no_result_without_record(self):
        m = segue.loads(DRIVEN)
        with m.start(record=False) as s:
            s.step(1.0)
        self.assertIsNone(s.result)

    def test_a_controller_is_no_chattering(self):
        m = segue.loads(DRIVEN)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with m.start(stop=1000) as s:
                u, y = s.inputs("u"), s.outputs("x", "v")
                for _ in range(1000):
                    u[0] = -2 * y[1]
                    s.step(1e-3)

    def test_twenty_thousand_steps_a_second(self):
        m = segue.loads(DRIVEN)
        with m.start(record=False, solver="Tsit5") as s:
            u, y = s.inputs("u"), s.outputs("x", "v", "y")
            step, n = s.step, 4000
            began = time.process_time()
            for _ in range(n):
                u[0] = -y[1]
                step(1e-3)
            rate = n / (time.process_time() - began)
        print(f"{rate:.0f} steps a second", file=sys.stderr)
        self.assertGreater(rate, 20000)


class Threads(unittest.TestCase):
    def test_four_runs_in_four_threads(self):
        models = [segue.loads(SLOW) for _ in range(4)]
        ends = [None] * 4

        def work(i):
            ends[i] = models[i].run(stop=0.2, tolerance=1e-9)["x"][-1]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        ticks = 0
        for t in threads:
            t.start()
        while any(t.is_alive() for t in threads):  # the interpreter is free meanwhile
            ticks += 1
            time.sleep(1e-4)
        self.assertEqual(len(set(ends)), 1)
        self.assertTrue(close_to(ends[0], math.cos(200), 1e-3))
        self.assertGreater(ticks, 5)

    def test_two_threads_of_one_model(self):
        m = segue.loads(SLOW)
        old = m.run(stop=0.01)
        errors = []
        worker = threading.Thread(target=lambda: self.swallow(m, errors))
        worker.start()
        time.sleep(0.1)
        with self.assertRaisesRegex(RuntimeError, "another thread"):
            m.run(stop=1)
        self.assertTrue(m.stop())
        self.assertEqual(old["v"][0], 0.0)  # waits
        worker.join()
        self.assertIsInstance(errors[0], segue.Interrupted)
        self.assertGreater(errors[0].result.time[-1], 0.0)
        self.assertFalse(m.stop())
        self.assertTrue(m.run(stop=0.01).finished)

    @staticmethod
    def swallow(m, errors):
        try:
            m.run(stop=1e6, interval=1, tolerance=1e-9)
        except segue.Interrupted as e:
            errors.append(e)

    def test_a_callback_cannot_run_the_model_again(self):
        m = segue.loads(SLOW)
        with self.assertRaisesRegex(RuntimeError, "callbacks"):
            m.run(stop=1e5, interval=1, tolerance=1e-9, progress=lambda t: m.run(stop=1))
        self.assertTrue(m.run(stop=0.01).finished)

    def test_control_c_stops_a_run_and_keeps_the_result(self):
        m = segue.loads(SLOW)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        began = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            m.run(stop=1e6, interval=1, tolerance=1e-9)
        self.assertLess(time.monotonic() - began, 20)
        self.assertGreater(m.result.time[-1], 0.0)
        self.assertTrue(m.run(stop=0.01).finished)

    def test_control_c_stops_loading(self):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            segue.loads("using Modia\nx = 0.0\nwhile true\n  global x = x + 1.0\nend\n")


class Memory(unittest.TestCase):
    @staticmethod
    def held():
        """Bytes that malloc has given out, and those that the process holds."""
        import ctypes
        import gc

        class Info(ctypes.Structure):
            _fields_ = [(name, ctypes.c_size_t) for name in (
                "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
                "keepcost")]  # fmt: skip

        gc.collect()
        with open("/proc/self/statm") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        library = ctypes.CDLL(None)
        if not hasattr(library, "mallinfo2"):
            return resident, resident
        library.mallinfo2.restype = Info
        info = library.mallinfo2()
        return info.uordblks + info.hblkhd, resident

    def grows(self, name, n, work):
        for _ in range(30):
            work()
        before = self.held()
        for _ in range(n):
            work()
        given, resident = (b - a for a, b in zip(before, self.held()))
        print(f"{n} {name}: {given / 1e6:+.2f} MB given out, {resident / 1e6:+.2f} MB resident", file=sys.stderr)
        # A model collects what its script left behind once in a megabyte.
        self.assertLess(given, 1.5e6 + 100 * n)

    def test_nothing_leaks(self):
        """SG_LOADS=10000 is the long form."""
        n = int(os.environ.get("SG_LOADS", "100"))
        text = "using Modia\nA = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\n"

        def load():
            m = segue.loads(text)
            m["x"] = 2.0
            m.run(stop=1)["x"]

        self.grows("loads", n, load)
        m = segue.loads(text)
        self.grows("runs", 10 * n, lambda: m.run(stop=1))

        def step():
            with m.start(stop=1) as s:
                s.step(0.1)

        self.grows("starts", n, step)


class Command(unittest.TestCase):
    def call(self, *arguments):
        return subprocess.run([sys.executable, "-m", "segue", *arguments], capture_output=True, text=True)

    def test_the_module_is_the_command(self):
        self.assertIn("segue", self.call("--version").stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rc.jl")
            with open(path, "w") as file:
                file.write(RC)
            done = self.call("run", "-o", os.path.join(folder, "out"), path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            r = segue.open(os.path.join(folder, "out"))
            self.assertTrue(close_to(r["C.v"][-1], 10 - 9.9 * math.exp(-10), 1e-4))
        self.assertEqual(self.call("run", "not_there.jl").returncode, 1)

    def test_the_library_comes_along(self):
        folder = os.path.join(os.path.dirname(segue.__file__), "library")
        self.assertTrue(os.path.exists(os.path.join(folder, "models", "Electric.jl")))


class Words(unittest.TestCase):
    def test_the_package_is_written_in_python_3_9(self):
        import ast

        folder = os.path.dirname(segue.__file__)
        for name in os.listdir(folder):
            if name.endswith((".py", ".pyi")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    ast.parse(file.read(), name, feature_version=(3, 9))

    def test_everything_public_has_a_doc_string(self):
        for name in segue.__all__:
            thing = getattr(segue, name)
            if name in ("Array", "Value"):
                continue
            self.assertTrue(thing.__doc__, name)
            if isinstance(thing, type):
                for key, member in vars(thing).items():
                    public = not key.startswith("_") and (callable(member) or isinstance(member, property))
                    if public and thing.__module__.startswith("segue") and not issubclass(thing, tuple):
                        self.assertTrue(member.__doc__, f"{name}.{key}")

    def test_no_package_is_needed(self):
        code = (
            "import sys\n"
            "for name in ('numpy', 'pandas', 'scipy'): sys.modules[name] = None\n"
            f"import segue\nm = segue.loads({VECTORS!r})\nm['A'] = [[0.0, 1.0], [-1.0, 0.0]]\n"
            "r = m.run(stop=1)\n"
            "assert type(r['h']) is memoryview and r['h'].format == 'd', type(r['h'])\n"
            "assert r['r'].shape == (r.n_points, 2) and r['r'][0, 0] == 1.0\n"
            "assert '<svg' in r.plot('h').svg\n"
            f"d = segue.loads({DRIVEN!r})\n"
            "with d.start() as s:\n    u, y = s.inputs('u'), s.outputs('x')\n    u[0] = 4.0\n    s.step(0.1)\n"
            "    assert abs(y[0] - 1) < 1e-3\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
