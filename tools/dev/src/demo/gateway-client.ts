/** A task as the API shows it; only what the demo reads. */
export interface DemoTask {
  id: string;
  status: string;
  progress: number;
  cost?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

export interface SynchronousAnswer {
  taskId: string;
  contentType: string;
  bytes: Buffer;
}

export interface GatewayClient {
  /** The new task's id. */
  submit(path: string, body: object): Promise<string>;
  /** Waits for the whole answer. */
  ask(path: string, body: object): Promise<SynchronousAnswer>;
  readTask(id: string): Promise<DemoTask>;
  /** The amount that the account can still spend, in currency units. */
  readBalance(): Promise<number>;
}

const ANSWER_LIMIT_MS = 15_000;

/** The public API as any caller uses it. Every method throws an Error with status and message when it is refused. */
export function createGatewayClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): GatewayClient {
  async function send(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw new Error(`${method} ${path} got no answer: ${reasonOf(cause)}`, { cause });
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new Error(`${method} ${path} was answered with ${response.status}: ${messageIn(text)}`);
  }

  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    return (await (await send(method, path, body)).json()) as Answer;
  }

  return {
    async submit(path, body) {
      const { data } = await call<{ data: { task_id: string }[] }>('POST', path, body);
      const [task] = data;
      if (task === undefined) throw new Error(`POST ${path} was accepted without a task`);
      return task.task_id;
    },
    async ask(path, body) {
      const response = await send('POST', path, body);
      const header = (name: string) => response.headers.get(name) ?? '';
      const bytes = Buffer.from(await response.arrayBuffer());
      return { taskId: header('x-task-id'), contentType: header('content-type'), bytes };
    },
    readTask: async (id) => (await call<{ data: DemoTask }>('GET', `/v1/tasks/${id}`)).data,
    readBalance: async () => (await call<{ remain_balance: number }>('GET', '/v1/user/balance')).remain_balance,
  };
}

/** "fetch failed" alone says nothing; what is below it does. */
function reasonOf(error: Error): string {
  return (error.cause as Error | undefined)?.message ?? error.message;
}

const MAX_SHOWN_CHARACTERS = 300;

/** The message of the API's error format, or the text as it is. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    // Not the API's own answer.
    return text.slice(0, MAX_SHOWN_CHARACTERS);
  }
}
