import type { ReceivedCallback } from '../src/callback-receiver/callback-receiver';
import type { listTasks } from '../src/control/tasks';
import type { listFaults } from '../src/control/vendors';
import type { JournalEntry } from '../src/journal/journal';

export type SimulatorControl = ReturnType<typeof createSimulatorControl>;
type ListedTasks = ReturnType<typeof listTasks>;

/** A callback as it was received; headers that come twice are not looked at. */
type Received = Omit<ReceivedCallback, 'headers'> & { headers: Record<string, string> };

const WAIT_MS = 40_000;

/** The simulator's control interface, and its callback receiver: what the vendors saw, what a receiver got. */
export function createSimulatorControl(url: string) {
  const ask = async <Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const journal = async (query = '') =>
    (await ask<{ entries: JournalEntry[] }>('GET', `/__sim/journal${query}`)).entries;
  return {
    url,
    journal: () => journal(),
    async lastEntry(): Promise<JournalEntry> {
      const last = (await journal()).at(-1);
      if (!last) throw new Error('the journal is empty');
      return last;
    },
    /** Resolves once the vendors have been asked at least so often. */
    asked: (atLeast: number) => journal(`?atLeast=${atLeast}&timeoutMs=${WAIT_MS}`),
    /** The calls being answered, once there are as few or a while has passed. */
    open: (atMost: number) => ask<{ calls: unknown[] }>('GET', `/__sim/open?atMost=${atMost}&timeoutMs=${WAIT_MS}`),
    setRules: async (rules: object[]) => void (await ask('PUT', '/__sim/rules', { rules })),
    /** Sets how many starts a minute a vendor takes. */
    setLimit: async (vendor: string, requestsPerMinute: number) =>
      void (await ask('PUT', '/__sim/limits', { vendor, requestsPerMinute })),
    /** The faults that can be asked for, and why a vendor cannot have one. */
    faults: () => ask<ReturnType<typeof listFaults>>('GET', '/__sim/faults'),
    /** Moves the vendors' clock on: an answer that was to take so long comes now. */
    moveClock: async (change: { advanceMs: number }) => void (await ask('POST', '/__sim/clock', change)),
    tasks: (query = '') => ask<ListedTasks>('GET', `/__sim/tasks${query}`),
    reset: async () => void (await ask('POST', '/__sim/reset')),
    /** The base URL to give as `webhook`. */
    receiverUrl: (token: string) => `${url}/__receiver/${token}`,
    script: async (token: string, answers: number[]) => void (await ask('PUT', `/__receiver/${token}/script`, answers)),
    /** Resolves once the receiver has received at least so many callbacks. */
    received: async (token: string, atLeast: number) =>
      (await ask<{ requests: Received[] }>('GET', `/__receiver/${token}?atLeast=${atLeast}&timeoutMs=${WAIT_MS}`))
        .requests,
  };
}
