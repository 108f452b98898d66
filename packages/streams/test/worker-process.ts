import { openStreamSender } from '../src';
import type { ProcessSpec } from './spawn-side';

const { redisUrl, prefix, timing, taskId } = JSON.parse(process.env['SIDE_SPEC'] ?? '') as ProcessSpec;

/** Meets the task's listener and sends as long as anybody takes it; says why it stopped. */
async function main(): Promise<void> {
  const sender = openStreamSender({ redisUrl, prefix, timing });
  const delivery = await sender.open({ taskId, fence: 1, signal: new AbortController().signal });
  if (!delivery) throw new Error('nobody was met');
  try {
    for (;;) await delivery.send(Buffer.alloc(1024));
  } catch {
    await delivery.lost();
    process.send?.(delivery.ended);
  }
}

void main();
// A test that is gone needs no worker.
process.once('disconnect', () => process.exit());
