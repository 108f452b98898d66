import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@mediagate/testkit';
import { judgedFetch } from './judged-answers';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  body: any;
}

export interface TaskRecord {
  id: string;
  status: 'submitted' | 'pending' | 'processing' | 'completed' | 'failed';
  progress: number;
  created: number;
  completed?: number;
  cost?: number;
  credits_cost?: number;
  parent_task_id?: string;
  result?: { images: { url: string[]; expires_at: number }[]; videos: VideoResult[] };
  usage?: { input_tokens: number; output_tokens: number; total_tokens: number };
  error?: { message: string; type: string; param: string; code: string; reason: string };
  callback?: { state: string };
}

/** A record as its callback carries it: that cannot say how it was delivered itself. */
export function asCalledBack({ callback: _, ...record }: TaskRecord): TaskRecord {
  return record;
}

export interface VideoResult {
  url: string[];
  expires_at: number;
  duration?: number;
  width?: number;
  height?: number;
  cover_url?: string;
}

/** A caller of the public API with one key. */
export interface Caller {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  balance(): Promise<{ remain_balance: number; used_balance: number }>;
  /** Submits a job and gives its id; without a path a small image, of which `body` says what matters. */
  submit(body: Record<string, unknown>, path?: string): Promise<string>;
  /** Waits until the task has ended. */
  ended(taskId: string, limitMs?: number): Promise<TaskRecord>;
}

/** Seconds that one question waits for the end. Asking again and again took more CPU than the work that was asked about. */
const WAIT_SECONDS = 10;
const PAUSE_MS = 100;
const DEFAULT_LIMIT_MS = 120_000;

const IMAGES = '/v1/images/generations';
const IMAGE = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' };

interface CallerOptions {
  /** Sends again what a busy service answers with 503. */
  isPatient?: boolean;
  /** Default of `ended`. */
  limitMs?: number;
}

export function createCaller(
  baseUrl: string,
  key: string,
  { isPatient = false, limitMs: ownLimitMs = DEFAULT_LIMIT_MS }: CallerOptions = {},
): Caller {
  async function send(path: string, init: RequestInit): Promise<Answer> {
    if (!isPatient) return sendOnce(path, init);
    return until(async () => {
      const answer = await sendOnce(path, init);
      return answer.status !== 503 && answer;
    }, path);
  }

  async function sendOnce(path: string, init: RequestInit): Promise<Answer> {
    const response = await judgedFetch(`${baseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  }

  const get: Caller['get'] = (path, headers = {}) => send(path, { headers });
  const post: Caller['post'] = (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  return {
    get,
    post,
    balance: async () => (await get('/v1/user/balance')).body,
    async submit(body, path) {
      const answer = await (path === undefined ? post(IMAGES, { ...IMAGE, ...body }) : post(path, body));
      if (answer.status !== 200) throw new Error(`not accepted: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.data[0].task_id;
    },
    async ended(taskId, limitMs = ownLimitMs) {
      const limit = Date.now() + limitMs;
      for (;;) {
        const { body } = await get(`/v1/tasks/${taskId}?wait=${WAIT_SECONDS}`);
        const record = body.data as TaskRecord;
        if (record?.status === 'completed' || record?.status === 'failed') return record;
        if (Date.now() > limit) throw new Error(`${taskId} has not ended: ${JSON.stringify(body)}`);
        // An API that is about to end answers waiting callers at once.
        await delay(PAUSE_MS);
      }
    },
  };
}
