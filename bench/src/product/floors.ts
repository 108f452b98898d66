import type { ReceiverReport } from '../../instruments/receiver';
import type { Contender } from '../measure/interleave';
import type { Stage } from '../stage';
import { mustEqual, WEBHOOK_SECRET } from './books';
import { type OrderContender, orderContender } from './order-contender';

/**
 * Bytes of write-ahead log that one unit of the product takes, by a slice of it alone and warm: floors write as many. At least one.
 */
export async function walBytesOfUnit(stage: Stage, product: Contender): Promise<number> {
  await product.slice(stage.pace.warmUpMs);
  const { count, walBytes = 0 } = await product.slice(stage.pace.sliceMs);
  return Math.max(1, Math.round(walBytes / count));
}

export interface CallbackFloorOptions {
  /** The program, which ends each unit with a callback. */
  path: string;
  /** Bytes of write-ahead log that a unit writes. */
  bytes: number;
  /** The body of each callback. */
  body: string;
  receivers: number;
  concurrency: number;
  env?: Record<string, string>;
}

/** A floor with receivers and a database of its own. */
export async function callbackFloor(
  stage: Stage,
  { path, bytes, body, receivers, concurrency, env = {} }: CallbackFloorOptions,
): Promise<OrderContender & { faults(): Promise<string[]> }> {
  const ports = { PORTS: String(receivers), WEBHOOK_SECRET };
  const receiver = await stage.startProgram('instruments/receiver.ts', ports);
  const report = await receiver.order<ReceiverReport>({});
  const program = await stage.startProgram(path, {
    ...env,
    DATABASE_URL: await stage.createDatabase('floor'),
    PORTS: report.ports.join(','),
    WEBHOOK_SECRET,
    BODY: body,
    BYTES: String(bytes),
    CONCURRENCY: String(concurrency),
  });
  const contender = orderContender(stage, 'floor', program);
  return {
    ...contender,
    async faults() {
      const { callbacks, tasks, badlySigned } = await receiver.order<ReceiverReport>({});
      return [
        ...mustEqual('floor: callbacks', callbacks, contender.done()),
        ...mustEqual('floor: units called back', tasks, contender.done()),
        ...mustEqual('floor: callbacks with a wrong signature', badlySigned, 0),
      ];
    },
  };
}
