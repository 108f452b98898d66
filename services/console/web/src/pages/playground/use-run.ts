import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { gatewayPath } from '../../api/gateway.ts';
import { RepeatKey } from '../../api/repeat-key.ts';
import { open } from '../../api/request.ts';
import { type Task, taskQuery } from '../../api/task.ts';
import { useEvents } from '../../parts/use-events.ts';

/** A speech is answered at once, and has an address as long as it is shown. */
interface Sound {
  content: Blob;
  link: string;
}

/** A speech is answered once it is made. */
const RUN_LIMIT_MS = 300_000;

type Outcome = { taskId: string } | { sound: Sound };

export interface Run {
  mutate(body: Readonly<Record<string, unknown>>): void;
  isPending: boolean;
  /** Why it was refused. */
  error: Error | null;
  fault: ApiError | undefined;
  /** What was submitted, as it is now. */
  task: Task | undefined;
  sound: Sound | undefined;
}

/** Submits a body and follows what becomes of it. */
export function useRun(path: string): Run {
  const [key] = useState(() => new RepeatKey());
  const { mutate, isPending, error, data } = useMutation({ mutationFn: (body: object) => submit(path, body, key) });
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (data !== undefined) setOutcome(data);
  }, [data]);
  const taskId = outcome !== undefined && 'taskId' in outcome ? outcome.taskId : '';
  const { data: task } = useQuery({ ...taskQuery(taskId), enabled: taskId !== '' });
  useEvents(task);
  const sound = outcome !== undefined && 'sound' in outcome ? outcome.sound : undefined;
  useEffect(() => () => URL.revokeObjectURL(sound?.link ?? ''), [sound]);
  return { mutate, isPending, error, fault: error instanceof ApiError ? error : undefined, task, sound };
}

/** Sent again after an answer that was lost, it makes no second task. */
async function submit(path: string, body: object, key: RepeatKey): Promise<Outcome> {
  const headers = { 'Idempotency-Key': key.for(path, body), Accept: '*/*' };
  const response = await open(gatewayPath(path), { method: 'POST', body, headers, limitMs: RUN_LIMIT_MS });
  key.answered();
  if (!response.headers.get('content-type')?.includes('json')) {
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
