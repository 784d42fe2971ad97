// node web/build.mjs OUT.html: bundles the page into one file without data.
//
// Scripts and styles stand in the document itself, since a page opened from disk may load nothing.
// The data of a run take the place of the mark (src/view/page.h).
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];

const bundle = async (entry, format) => {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: ['chrome100', 'firefox100', 'safari15'],
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
};

// Inside an element of its own a bundle must not contain the end of that element.
const script = (await bundle('main.js', 'iife')).replaceAll('</script', '<\\/script');
const style = (await bundle('page.css')).replaceAll('</style', '<\\/style');
const page = readFileSync(join(here, 'page.html'), 'utf8')
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => script);

mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
