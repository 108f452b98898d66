import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { untilExit } from '@mediagate/testkit/servers';
import { keepUp, type Life, type Part } from '../src/keep-up';

const STAYS = `console.log('ready'); setInterval(() => {}, 1000)`;
const FAILS = `console.log('ready'); process.exit(7)`;
const REFUSES = 'refuses';

let children: ChildProcess[] = [];
let ending: AbortController;
let lives: Life[];
let lines: string[];
let failing: string[];
let changes: EventEmitter;

beforeEach(() => {
  ending = new AbortController();
  lives = [];
  lines = [];
  failing = [];
  changes = new EventEmitter();
});

afterEach(() => {
  ending.abort();
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

/** A part that runs one of these programs a life, the last one from then on. */
function partOf(...programs: string[]): Part {
  let tries = 0;
  return {
    name: 'worker',
    async start({ spawned }) {
      const program = programs[Math.min(tries, programs.length - 1)] ?? '';
      tries += 1;
      if (program === REFUSES) throw new Error('it was not ready');
      const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const exited = untilExit(child);
      const pid = child.pid ?? 0;
      spawned(pid);
      await once(child.stdout, 'data');
      const stop = async () => {
        child.kill();
        await exited;
      };
      return { pid, exited, stop };
    },
  };
}

/** A wait that a test would not survive stands for "not tried again by now". */
const NEVER_MS = 60_000;

function keep(part: Part, { backoffMs = [1, 1, 1, NEVER_MS], settledMs = NEVER_MS } = {}): Promise<void> {
  return keepUp(part, {
    backoffMs,
    settledMs,
    signal: ending.signal,
    onSpawned: () => undefined,
    onDown: () => changes.emit('change'),
    onFailing: (reason) => failing.push(reason),
    onUp(life) {
      lives.push(life);
      changes.emit('change');
    },
    say(line) {
      lines.push(line);
      changes.emit('change');
    },
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await once(changes, 'change');
}

async function end(done: Promise<void>): Promise<void> {
  ending.abort();
  await lives.at(-1)?.stop();
  await done;
}

describe('a part that is kept up', () => {
  it('is started again when it is killed, with one line a time, however often that happens', async () => {
    const done = keep(partOf(STAYS));
    for (let kills = 1; kills <= 4; kills += 1) {
      await until(() => lives.length === kills);
      process.kill(lives[kills - 1]?.pid ?? 0, 'SIGKILL');
      await until(() => lines.length === kills && lives.length === kills + 1);
      expect(lines.at(-1)).toBe(`worker ended (SIGKILL), started again as process ${lives.at(-1)?.pid}`);
    }
    await end(done);
  });

  it('is started again at once when it is killed after it had settled', async () => {
    const done = keep(partOf(STAYS), { settledMs: 0, backoffMs: [NEVER_MS] });
    await until(() => lives.length === 1);
    process.kill(lives[0]?.pid ?? 0, 'SIGKILL');
    await until(() => lives.length === 2);
    await end(done);
  });

  it('is reported as failing when it ends by itself three times in a row, and is not tried at once any more', async () => {
    const done = keep(partOf(STAYS, FAILS));
    await until(() => lives.length === 1);
    process.kill(lives[0]?.pid ?? 0, 'SIGKILL');
    await until(() => lines.some((line) => line.includes('3 times in a row')));
    expect(lines.at(-1)).toBe(
      'worker did not stay up 3 times in a row: exit code 7. The others go on; it is tried again every 60 s.',
    );
    expect(lives).toHaveLength(4);
    await end(done);
  });

  it('counts anew once it had settled', async () => {
    const done = keep(partOf(FAILS, FAILS, FAILS, FAILS, STAYS), { settledMs: 0 });
    await until(() => lives.length === 5);
    expect(lines.filter((line) => line.includes('did not stay up'))).toEqual([]);
    await end(done);
  });

  it('is tried again when it never came up, after it was reported', async () => {
    const done = keep(partOf(REFUSES, REFUSES, REFUSES, STAYS), { backoffMs: [1] });
    await until(() => lives.length === 1);
    await until(() => lines.length === 4);
    expect(failing).toEqual(['it was not ready']);
    expect(lines.slice(2)).toEqual([
      'worker did not stay up 3 times in a row: it was not ready. The others go on; it is tried again every 0.001 s.',
      `worker is up now, as process ${lives[0]?.pid}`,
    ]);
    await end(done);
  });

  it('comes up at the third try', async () => {
    const done = keep(partOf(REFUSES, REFUSES, STAYS));
    await until(() => lives.length === 1);
    expect(lines).toEqual(['worker did not stay up: it was not ready', 'worker did not stay up: it was not ready']);
    await end(done);
  });

  it('is not started again after a stop, not even from a long wait', async () => {
    const done = keep(partOf(FAILS));
    await until(() => lines.some((line) => line.includes('3 times in a row')));
    const tries = lives.length;
    await end(done);
    expect(lives).toHaveLength(tries);
  });
});
