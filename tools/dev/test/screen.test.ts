import { once } from 'node:events';
import type { WriteStream } from 'node:tty';
import { openScreen, Screen } from '../src/screen/screen';

let written: string;

beforeEach(() => {
  written = '';
  jest.useFakeTimers();
});

afterEach(() => jest.useRealTimers());

function screenOf(options: { isInteractive: boolean; inColour?: boolean; columns?: number }): Screen {
  const { isInteractive, inColour = false, columns = 100 } = options;
  const write = (text: string) => {
    written += text;
  };
  return new Screen({ write, isInteractive, inColour, columns: () => columns });
}

/** The lines that a terminal shows in the end: a carriage return with "clear" wipes the line it stands on. */
function shown(): string[] {
  return written.split('\n').map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''));
}

function fakeStream(facts: Partial<WriteStream>): NodeJS.WriteStream {
  return facts as NodeJS.WriteStream;
}

describe('a terminal', () => {
  it('shows a step under way, its time, and in the end one line of it', async () => {
    const screen = screenOf({ isInteractive: true });
    const step = screen.step('Redis', async (detail) => {
      detail('installing');
      await jest.advanceTimersByTimeAsync(1500);
      expect(shown()).toEqual([expect.stringMatching(/^\S Redis +1\.5 s {3}installing$/)]);
      detail('installed');
    });
    await step;
    expect(shown()).toEqual([expect.stringMatching(/^✔ Redis +1\.5 s {3}installed$/), '']);
  });

  it('turns its spinner', async () => {
    const screen = screenOf({ isInteractive: true });
    await screen.step('Redis', () => jest.advanceTimersByTimeAsync(1000));
    expect(new Set(written.match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g)).size).toBe(10);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('prints a line above the step under way', async () => {
    const screen = screenOf({ isInteractive: true });
    await screen.step('Redis', async () => screen.print('image ended, started again'));
    expect(shown()).toEqual(['image ended, started again', expect.stringMatching(/^✔ Redis/), '']);
  });

  it('is never wrapped by a step or a notice', async () => {
    const screen = screenOf({ isInteractive: true, columns: 40 });
    await screen.step('Redis', async (detail) => detail('x'.repeat(100)));
    screen.printCut('y'.repeat(100), 'yellow', 1);
    const widths = shown().map((line) => line.length);
    expect(Math.max(...widths)).toBe(40);
  });

  it('marks a step that failed, and hands its error on', async () => {
    const screen = screenOf({ isInteractive: true });
    await expect(screen.step('Redis', () => Promise.reject(new Error('no port')))).rejects.toThrow('no port');
    expect(shown()).toEqual([expect.stringMatching(/^✖ Redis/), '']);
  });

  it('marks a step whose result is not good', async () => {
    const screen = screenOf({ isInteractive: true });
    const result = await screen.step(
      'Demo',
      async () => 3,
      (failures) => failures === 0,
    );
    expect(result).toBe(3);
    expect(shown()).toEqual([expect.stringMatching(/^✖ Demo/), '']);
  });

  it('shows no step any more once it is closed, not even how the one under way ended', async () => {
    const screen = screenOf({ isInteractive: true });
    const ending = new AbortController();
    const step = screen.step('Redis', () =>
      once(ending.signal, 'abort').then(() => Promise.reject(new Error('stopped'))),
    );
    screen.close();
    screen.print('stopping');
    ending.abort();
    await expect(step).rejects.toThrow('stopped');
    expect(shown()).toEqual(['stopping', '']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has colours only where they are wanted', () => {
    screenOf({ isInteractive: true, inColour: true }).printCut('a', 'red', 1);
    screenOf({ isInteractive: true, inColour: false }).printCut('b', 'red', 1);
    expect(written).toBe('\u001b[31ma\u001b[0m\nb\n');
  });
});

describe('a pipe', () => {
  it('gets a line for a step that begins and one once it is done, without a spinner, a colour or a cut', async () => {
    const screen = screenOf({ isInteractive: false, columns: 10 });
    await screen.step('Redis', async (detail) => {
      detail('installed');
      await jest.advanceTimersByTimeAsync(1000);
      expect(written).toBe('begins Redis\n');
    });
    expect(written).toMatch(/^begins Redis\ndone {3}Redis +1\.0 s {3}installed\n$/);
  });
});

describe('the screen of a stream', () => {
  it('follows NO_COLOR on a terminal', () => {
    const lines: string[] = [];
    const stream = (hasColors: boolean) =>
      fakeStream({
        isTTY: true,
        columns: 100,
        hasColors: () => hasColors,
        write: (text: string) => !!lines.push(text),
      });
    openScreen(stream(false), {}).printCut('a', 'red', 1);
    openScreen(stream(true), {}).printCut('b', 'red', 1);
    expect(lines).toEqual(['a\n', '\u001b[31mb\u001b[0m\n']);
  });

  it('is plain without a terminal, or on one that draws nothing', async () => {
    const lines: string[] = [];
    const write = (text: string) => !!lines.push(text);
    const [pipe, dumb] = [
      openScreen(fakeStream({ write }), {}),
      openScreen(fakeStream({ isTTY: true, columns: 100, hasColors: () => false, write }), { TERM: 'dumb' }),
    ];
    for (const screen of [pipe, dumb]) await screen.step('Redis', async () => undefined);
    const plain = ['begins Redis\n', expect.stringMatching(/^done {3}Redis/)];
    expect(lines).toEqual([...plain, ...plain]);
  });
});
