// Portkey's gateway as npm brings it, with its own defaults. It neither knows its callers nor bills them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@mediagate/testkit/servers';
import { announce } from '../src/program';

const PROGRAM = join(__dirname, '../node_modules/@portkey-ai/gateway/build/start-server.js');
const LOOK_MS = 50;

/** It is an ES module, and `import()` in what runs here would be made a `require`. */
const load = new Function('url', 'return import(url)') as (url: string) => Promise<unknown>;

void freePort().then(async (port) => {
  process.argv.push(`--port=${port}`, '--headless');
  await load(pathToFileURL(PROGRAM).href);
  const look = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => announce({ port }),
      () => setTimeout(look, LOOK_MS),
    );
  await look();
});
