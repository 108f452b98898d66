import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilExit } from '@mediagate/testkit/servers';
import { type Home, openHome } from '../src/home';
import { claimHome } from '../src/process-record';

let folder: string;
let home: Home;
let child: ChildProcess;
let lines: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'home-'));
  home = openHome(folder);
  lines = [];
  child = spawn(process.execPath, ['-e', `console.log('ready'); setInterval(() => {}, 1000)`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
});

afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const say = (line: string) => void lines.push(line);
const pidOf = (process: ChildProcess) => process.pid ?? 0;

/** As if the start that wrote the record had been killed: its own process is another's number, or nobody's. */
function rewrite(
  change: (record: {
    supervisor: { pid: number; command: string };
    parts: Record<string, { pid: number; command: string }>;
  }) => void,
) {
  const record = home.read<Parameters<typeof change>[0]>('processes.json');
  if (record === undefined) throw new Error('no record');
  change(record);
  home.write('processes.json', record);
}

describe('the record of processes', () => {
  it('lets the next start end what a killed one left running', async () => {
    await (await claimHome(home, say)).keep({ image: pidOf(child) });
    rewrite((record) => {
      record.supervisor.command = 'a start that was killed';
    });
    await claimHome(home, say);
    expect(await untilExit(child)).toEqual({ code: null, signal: 'SIGINT' });
    expect(lines).toEqual([`ending image (process ${pidOf(child)}), left by an earlier start`]);
  });

  it('leaves a process alone that only has the number of one of ours', async () => {
    await (await claimHome(home, say)).keep({ image: pidOf(child) });
    rewrite((record) => {
      record.supervisor.command = 'a start that was killed';
      record.parts['image'] = { pid: pidOf(child), command: 'node services/image/dist/main.js' };
    });
    await claimHome(home, say);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    expect(lines).toEqual([]);
  });

  it('refuses a second start while the first is at work, and touches nothing of it', async () => {
    await (await claimHome(home, say)).keep({ image: pidOf(child) });
    rewrite((record) => {
      record.supervisor = { pid: pidOf(child), command: record.parts['image']?.command ?? '' };
    });
    await expect(claimHome(home, say)).rejects.toThrow(`in use by process ${pidOf(child)}`);
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });
});
