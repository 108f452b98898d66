export interface JournalEntry {
  seq: number;
  wire: string;
  path: string;
  operation: string;
  model: string | null;
  prompt: string | null;
  accepted: boolean;
  externalId: string | null;
  replyStatus: number | null;
  /** Bytes sent of the answer's body; a caller who left may have read fewer. */
  sentBytes: number;
  /** `open` while unanswered, `replied`, `cut` by the simulator, `left` when the caller hung up first. */
  ending: 'open' | 'replied' | 'cut' | 'left';
  request: unknown;
}

export interface VendorTask {
  prompt: string;
  /** The statuses that its callbacks were answered with. */
  callbacks: number[];
}

export interface OpenWork {
  calls: unknown[];
  /** Connections of all callers, the one who asks included. */
  connections: number;
}

export interface ReceivedCallback {
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The simulator's control interface, and its callback receiver: what the vendors saw, what a receiver got. */
export interface SimulatorControl {
  url: string;
  journal(): Promise<JournalEntry[]>;
  /** Resolves once the vendors have been asked at least so often. */
  asked(atLeast: number): Promise<JournalEntry[]>;
  /** The calls being answered, once there are as few or a while has passed. */
  open(atMost: number): Promise<OpenWork>;
  rules(rules: object[]): Promise<void>;
  /** The jobs that a vendor has taken. */
  tasks(vendor: string): Promise<{ tasks: VendorTask[] }>;
  /** Moves the vendors' clock on: an answer that was to take so long comes now. */
  advance(byMs: number): Promise<void>;
  /** The base URL to give as `webhook`. */
  receiverUrl(token: string): string;
  script(token: string, answers: (number | string)[]): Promise<void>;
  /** Resolves once the receiver has received at least so many callbacks. */
  received(token: string, atLeast: number): Promise<ReceivedCallback[]>;
}

const WAIT_MS = 40_000;

export function createSimulatorControl(url: string): SimulatorControl {
  const get = async (path: string) => (await fetch(`${url}${path}`)).json();
  const send = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  const journal = async (query = '') => ((await get(`/__sim/journal${query}`)) as { entries: JournalEntry[] }).entries;

  return {
    url,
    journal,
    asked: (atLeast) => journal(`?atLeast=${atLeast}&timeoutMs=${WAIT_MS}`),
    open: async (atMost) => (await get(`/__sim/open?atMost=${atMost}&timeoutMs=${WAIT_MS}`)) as OpenWork,
    tasks: async (vendor) => (await get(`/__sim/tasks?wire=${vendor}`)) as { tasks: VendorTask[] },
    rules: (rules) => send('PUT', '/__sim/rules', { rules }),
    advance: (byMs) => send('POST', '/__sim/clock', { advanceMs: byMs }),
    receiverUrl: (token) => `${url}/__receiver/${token}`,
    script: (token, answers) => send('PUT', `/__receiver/${token}/script`, answers),
    async received(token, atLeast) {
      const query = `?atLeast=${atLeast}&timeoutMs=${WAIT_MS}`;
      return ((await get(`/__receiver/${token}${query}`)) as { requests: ReceivedCallback[] }).requests;
    },
  };
}
