import { ffmpegProgram } from '@mediagate/testkit/servers';
import type { listFaults } from '../src/control/faults';
import type { listTasks } from '../src/control/tasks';
import type { JournalEntry } from '../src/journal/journal';
import { type RunningSimulator, type StartOptions, startSimulator } from '../src/simulator';

/** A simulator on a port of its own that draws without waiting, and what a test needs to talk to its control API. */
export interface SimulatorUnderTest extends RunningSimulator {
  journal(): Promise<JournalEntry[]>;
  /** The last entry. */
  lastEntry(): Promise<JournalEntry>;
  setRules(rules: object[]): Promise<void>;
  /** Sets the limits of a vendor's account. */
  setLimits(vendor: string, limits: object): Promise<void>;
  /** The faults that can be asked for, and why a vendor cannot have one. */
  faults(): Promise<ReturnType<typeof listFaults>>;
  moveClock(change: { advanceMs?: number; speed?: number }): Promise<void>;
  tasks(query?: string): Promise<ListedTasks>;
  reset(): Promise<void>;
}

export type ListedTasks = ReturnType<typeof listTasks>;

export async function startUnderTest(options: Partial<StartOptions> = {}): Promise<SimulatorUnderTest> {
  const simulator = await startSimulator({ imageMs: 0, ffmpegPath: ffmpegProgram(), ...options });
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${simulator.url}/__sim/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const journal = async () => ((await control('GET', 'journal')) as { entries: JournalEntry[] }).entries;
  return {
    ...simulator,
    journal,
    async lastEntry() {
      const last = (await journal()).at(-1);
      if (!last) throw new Error('the journal is empty');
      return last;
    },
    setRules: async (rules) => void (await control('PUT', 'rules', { rules })),
    setLimits: async (vendor, limits) => void (await control('PUT', 'limits', { vendor, limits })),
    faults: async () => (await control('GET', 'faults')) as ReturnType<typeof listFaults>,
    moveClock: async (change) => void (await control('POST', 'clock', change)),
    tasks: async (query = '') => (await control('GET', `tasks${query}`)) as ListedTasks,
    reset: async () => void (await control('POST', 'reset')),
  };
}

/** The key that the simulator takes as one of the vendor, by the name of its folder. */
export function keyOf(vendor: string): string {
  return `sim-${vendor}-key`;
}

/** Posts JSON with a bearer key. */
export function post(url: string, { key, body, headers = {}, signal }: PostOptions) {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

interface PostOptions {
  key: string;
  body: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
