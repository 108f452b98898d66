import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { gatewayPath } from '../../api/gateway.ts';
import { RepeatKey } from '../../api/repeat-key.ts';
import { open } from '../../api/request.ts';
import { type Task, taskQuery } from '../../api/task.ts';
import { useEvents } from '../../parts/use-events.ts';
import { type ChatAnswer, readChat } from './read-chat.ts';

/** A speech is answered at once, and has an address as long as it is shown. */
interface Sound {
  content: Blob;
  link: string;
}

/** A speech is answered once it is made, a text while it is written. */
const RUN_LIMIT_MS = 300_000;

interface Outcome {
  taskId?: string;
  sound?: Sound;
  chat?: ChatAnswer | undefined;
}

export interface Run {
  mutate(body: Readonly<Record<string, unknown>>): void;
  isPending: boolean;
  /** Why it was refused. */
  error: Error | null;
  fault: ApiError | undefined;
  /** The submitted task, as it is now. */
  task: Task | undefined;
  sound: Sound | undefined;
  chat: ChatAnswer | undefined;
  /** Ends a text that is being written. */
  stop: (() => void) | undefined;
}

/** Submits a body and follows what becomes of it. */
export function useRun(path: string): Run {
  const [key] = useState(() => new RepeatKey());
  const [outcome, setOutcome] = useState<Outcome>({});
  const [writing, setWriting] = useState<AbortController>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: object) => {
      setOutcome({});
      const cut = new AbortController();
      const response = await submit({ path, body, key, signal: cut.signal });
      if (!isStream(response)) return setOutcome(await outcomeOf(response));
      setWriting(cut);
      await readChat(response.body, (chat) => setOutcome({ chat })).catch((fault) => {
        if (!cut.signal.aborted) throw fault;
      });
      // Only now does it cost something.
      setOutcome(({ chat }) => ({ chat, taskId: response.headers.get('x-task-id') ?? '' }));
    },
    onSettled: () => setWriting(undefined),
  });
  const { taskId = '', sound, chat } = outcome;
  const { data: task } = useQuery({ ...taskQuery(taskId), enabled: taskId !== '' });
  useEvents(task);
  useEffect(() => () => URL.revokeObjectURL(sound?.link ?? ''), [sound]);
  const stop = writing && (() => writing.abort());
  return { mutate, isPending, error, fault: error instanceof ApiError ? error : undefined, task, sound, chat, stop };
}

interface Submitting {
  path: string;
  body: object;
  key: RepeatKey;
  signal: AbortSignal;
}

/** Sent again after an answer that was lost, it makes no second task. */
async function submit({ path, body, key, signal }: Submitting): Promise<Response> {
  const headers = { 'Idempotency-Key': key.for(path, body), Accept: '*/*' };
  const options = { method: 'POST', body, headers, signal, limitMs: RUN_LIMIT_MS } as const;
  const response = await open(gatewayPath(path), options);
  key.answered();
  return response;
}

function isStream(response: Response): response is Response & { body: ReadableStream<Uint8Array> } {
  return response.body !== null && contentTypeOf(response).includes('event-stream');
}

function contentTypeOf(response: Response): string {
  return response.headers.get('content-type') ?? '';
}

async function outcomeOf(response: Response): Promise<Outcome> {
  if (!contentTypeOf(response).includes('json')) {
    const content = await response.blob();
    return { sound: { content, link: URL.createObjectURL(content) } };
  }
  const answer = (await response.json()) as Submission;
  const [first] = Array.isArray(answer.data) ? answer.data : [answer.data];
  return { taskId: first?.task_id ?? answer.task_id ?? '' };
}

/** Families acknowledge in shapes of their own; each names the task. */
interface Submission {
  task_id?: string;
  data?: { task_id: string } | { task_id: string }[];
}
