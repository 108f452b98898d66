import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mediagate/testkit/servers';
import { nodeProcess } from '../src/node-process';

const SERVICE = `
const { PORT, REPORT } = process.env;
require('node:fs').writeFileSync(REPORT, JSON.stringify({ program: process.execPath, maps: process.sourceMapsEnabled }));
const server = require('node:http').createServer((_, response) => response.end());
process.on('SIGTERM', () => process.exit(0));
server.listen(PORT, '127.0.0.1');`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-process-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('runs a service on the Node that npm start itself was put on, without maps in its memory, until it is asked to end', async () => {
  const main = join(folder, 'main.cjs');
  const report = join(folder, 'report');
  writeFileSync(main, SERVICE);
  const port = await freePort();
  const part = nodeProcess({
    name: 'service',
    main,
    env: { PORT: String(port), REPORT: report },
    readyUrl: `http://127.0.0.1:${port}/`,
    drainMs: 10_000,
    output: { line: () => undefined, errorLine: () => undefined },
  });
  const life = await part.start({ signal: new AbortController().signal, spawned: () => undefined });
  await life.stop();
  expect(await life.exited).toEqual({ code: 0, signal: null });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({ program: process.execPath, maps: false });
});
