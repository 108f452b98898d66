import { Credit, type createFinisher, createSubmitter, submitOnceCreditIsIn } from '@mediagate/billing';
import { NANO_PER_UNIT } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { createEndMetrics } from '@mediagate/metrics';
import type { ApiConfig } from './config';

/** Longer than a process that is alive takes to give back what it has taken. */
const CREDIT_RETURN_MS = 1_500;

interface PaymentDeps {
  config: Pick<ApiConfig, 'TEXT_CREDIT' | 'TEXT_CREDIT_SECONDS'>;
  database: Database;
  finish: ReturnType<typeof createFinisher>;
  onEnded: ReturnType<typeof createEndMetrics>;
}

/** The ways into the books. */
export function openPayments({ config, database, finish, onEnded }: PaymentDeps) {
  const { TEXT_CREDIT: limit, TEXT_CREDIT_SECONDS: seconds } = config;
  const waitMs = seconds * 1000 + CREDIT_RETURN_MS;
  const submit = submitOnceCreditIsIn(database, { submit: createSubmitter(database), waitMs });
  const credit = new Credit(database, { limitNano: BigInt(limit) * NANO_PER_UNIT, seconds, submit, finish, onEnded });
  return { credit, payments: { submit, draw: credit.draw.bind(credit) } };
}
