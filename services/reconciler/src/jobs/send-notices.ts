import { NOTICE_MEDIA } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import { NoticeSender, type NoticeSenderDeps, OPERATORS } from '@mediagate/notices';
import { Counter, type Registry } from 'prom-client';
import type { Job } from '../job';

const NAME = 'send-notices';
const EVERY_MS = 1000;
const OUTCOMES = ['delivered', 'rejected', 'dropped', 'exhausted', 'retry'] as const;

export type SendNoticesOptions = Omit<NoticeSenderDeps, 'onSent' | 'onFailed'> & { logger: Logger; metrics: Registry };

/** Sends the messages that are due. Any number of processes may, because a row is claimed before it is sent. */
export function sendNotices({ logger, metrics, ...deps }: SendNoticesOptions): Job & Pick<NoticeSender, 'close'> {
  const attempts = new Counter({
    name: 'mediagate_notice_attempts_total',
    help: 'Attempts to send messages of notices, by outcome',
    labelNames: ['medium', 'outcome'],
    registers: [metrics],
  });
  // An alert compares with what was before, so that there has to be something.
  for (const medium of NOTICE_MEDIA) for (const outcome of OUTCOMES) attempts.inc({ medium, outcome }, 0);

  const sender = new NoticeSender({
    ...deps,
    onSent(message, verdict) {
      const outcome = verdict.state === 'pending' ? 'retry' : verdict.state;
      // Anybody may test an address of their own that does not exist: that is nothing for an operator's alert.
      if (!message.isTest || message.owner === OPERATORS) attempts.inc({ medium: message.medium, outcome });
      const { id: messageId, owner: accountId, targetId, medium } = message;
      const reason = verdict.state === 'delivered' ? undefined : verdict.reason;
      const level = outcome === 'delivered' ? 'info' : 'warn';
      const detail = `${medium} ${targetId}`;
      logger[level]('notice.attempted', { messageId, accountId, detail, outcome, ...(reason && { reason }) });
    },
    onFailed: (error) => logger.error('job.failed', { job: NAME, error }),
  });
  return {
    name: NAME,
    everyMs: EVERY_MS,
    run: () => sender.sendDue(),
    close: () => sender.close(),
  };
}
