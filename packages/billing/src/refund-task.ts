import { type JsonObject, type Nano, nanoToNumber, type TaskId } from '@mediagate/contracts';
import type { Database, RefundSnapshot } from '@mediagate/database';

/** The amount that a task was charged, 0 until it is completed. Undefined: there is no such task. */
export async function readCharge(database: Database, taskId: TaskId): Promise<Nano | undefined> {
  const found = await database.reservation.findUnique({ where: { taskId }, select: { settledNano: true } });
  return found === null ? undefined : (found.settledNano ?? 0n);
}

/** The amount that is reserved for a task, or was. */
export async function readReserved(database: Database, taskId: TaskId): Promise<Nano> {
  const { amountNano } = await database.reservation.findUniqueOrThrow({
    where: { taskId },
    select: { amountNano: true },
  });
  return amountNano;
}

export interface HandRefund {
  taskId: TaskId;
  accountId: string;
  chargedNano: Nano;
  refundedNano: Nano;
  /** The account's balance after the refund. */
  balanceNano: Nano;
}

export function refundOf({ taskId, accountId, charged, refunded, balance }: RefundSnapshot): HandRefund {
  return {
    taskId,
    accountId,
    chargedNano: BigInt(charged),
    refundedNano: BigInt(refunded),
    balanceNano: BigInt(balance),
  };
}

export function describeRefund({ taskId, accountId, chargedNano, refundedNano, balanceNano }: HandRefund): JsonObject {
  return {
    task_id: taskId,
    account_id: accountId,
    charged: nanoToNumber(chargedNano),
    refunded: nanoToNumber(refundedNano),
    balance: nanoToNumber(balanceNano),
  };
}
