import { openStreamReceiver } from '../src';
import type { ProcessSpec } from './spawn-side';
import { until } from './until';

const { redisUrl, prefix, timing, taskId, direct } = JSON.parse(process.env['SIDE_SPEC'] ?? '') as ProcessSpec;

/** Hears one task and takes what comes. */
async function main(): Promise<void> {
  const receiver = openStreamReceiver({ redisUrl, prefix, timing, direct });
  await until(() => receiver.available(), 'the receiver is open');
  const listening = receiver.listen(taskId);
  process.send?.('listening');
  for await (const event of listening) if (event.kind === 'chunk') listening.acknowledge(event.bytes.length);
}

void main();
process.once('disconnect', () => process.exit());
