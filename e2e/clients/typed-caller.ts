// Lists what a caller in TypeScript may write, and what it may not. It is only compiled.
import { createClient, type EndedTask, verifyCallback } from '@mediagate/client';

const client = createClient({ baseUrl: 'https://gateway.example', apiKey: 'mg_key' });

export async function make(): Promise<string> {
  const body = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', n: 2 } as const;
  const { taskId, warnings } = await client.submit('/v1/images/generations', body, { strict: true });
  const task: EndedTask = await client.waitFor(taskId, { onUpdate: ({ progress }) => progress.toFixed() });
  if (task.status === 'failed') return task.error.reason;
  return task.result?.images?.[0]?.url[0] ?? warnings.join();
}

export async function misuse(): Promise<void> {
  // @ts-expect-error a quality that there is not
  await client.submit('/v1/images/generations', { model: 'imagegen-2.5-flare', prompt: 'a boat', quality: 'best' });
  // @ts-expect-error a path that there is not
  await client.submit('/v1/pictures', { prompt: 'a boat' });
  // @ts-expect-error a form where there is none
  await client.submit('/v1/videos/generations', new FormData());
  // @ts-expect-error a status that there is not
  for await (const task of client.listTasks({ status: 'done' })) task.id.trim();
  // @ts-expect-error no secret
  await verifyCallback({ headers: new Headers(), body: '' });
}

export async function copy(): Promise<string> {
  const { id, kind } = await client.uploadFile(new Uint8Array([1, 2]));
  const links: (string | undefined)[] = (await client.getTasks([id])).map((task) =>
    'result' in task ? task.id : kind,
  );
  const answer = await client.downloadFile(links.join());
  return (await answer.blob()).type;
}

export const edit = () => client.submit('/v1/images/edits', new FormData());
