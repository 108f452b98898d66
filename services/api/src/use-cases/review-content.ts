import type { ModeratedContent } from '@mediagate/catalog';
import { type CallMetrics, type ChannelChooser, endpointOf, verdictOn } from '@mediagate/channels';
import { type Fault, GatewayError, message } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import { isDataUrl } from '@mediagate/media';
import { type Channel, MODERATION_MODEL } from '@mediagate/settings';
import type { ModerationInput, Moderator, Verdict } from '@mediagate/upstreams';
import type { Caller } from './caller';

/** Has content reviewed by an upstream. */
export interface Reviewing {
  moderator: Pick<Moderator, 'protocol' | 'moderate'>;
  channels: Pick<ChannelChooser, 'candidates' | 'breaker'>;
  calls: Pick<CallMetrics, 'measure'>;
  logger: Logger;
}

/** Time limit over all channels: the caller waits for the review. */
const REVIEW_TIMEOUT_MS = 5000;

/**
 * Has a prompt and images reviewed before anything is booked. It fails closed: without a verdict there is no task.
 *
 * @throws GatewayError `invalid_request`, naming the categories; `upstream_unreachable` when nobody gave a verdict.
 */
export async function reviewContent(
  reviewing: Reviewing,
  { prompt, images }: ModeratedContent,
  { isTest }: Pick<Caller, 'isTest'>,
): Promise<void> {
  const signal = AbortSignal.timeout(REVIEW_TIMEOUT_MS);
  const input = { ...(prompt === undefined ? {} : { prompt }), imageUrls: images.map(({ url }) => url) };
  for (const channel of reviewing.channels.candidates({ model: MODERATION_MODEL, isTest }, [])) {
    if (channel.protocol !== reviewing.moderator.protocol) continue;
    const verdict = await review(input, { channel, signal }, reviewing);
    if (verdict?.kind === 'passed') return;
    if (verdict?.kind === 'flagged') throw flagged(verdict.categories);
    if (signal.aborted) break;
  }
  throw new GatewayError('upstream_unreachable', message('review_unavailable'), {
    reason: 'review_unavailable',
  });
}

/** Has one channel review the content; undefined: the channel has gone out of order meanwhile. */
async function review(
  input: ModerationInput,
  { channel, signal }: { channel: Channel; signal: AbortSignal },
  { moderator, channels, calls, logger }: Reviewing,
): Promise<Verdict | undefined> {
  const endpoint = endpointOf(channel, MODERATION_MODEL);
  const verdict = await channels.breaker(channel.id).run(
    MODERATION_MODEL,
    () =>
      calls.measure(
        { channelId: channel.id, model: MODERATION_MODEL, call: 'review' },
        () => moderator.moderate(input, { endpoint, signal }),
        () => signal.aborted,
      ),
    (answer) => (isLate(answer, input, signal) ? 'uncounted' : verdictOn(faultOf(answer))),
  );
  if (verdict?.kind === 'refused') {
    const { code, detail } = verdict.fault;
    logger.warn('moderation.failed', { channelId: channel.id, fault: code, detail });
  }
  return verdict;
}

function faultOf(verdict: Verdict): Fault | undefined {
  return verdict.kind === 'refused' ? verdict.fault : undefined;
}

/**
 * Whether a review took too long because of the caller: the caller's time was over, or the vendor had to fetch the caller's
 * images, which can be arbitrarily slow. Such a review says nothing about the channel.
 */
function isLate(verdict: Verdict, { imageUrls }: ModerationInput, signal: AbortSignal): boolean {
  const isFetched = imageUrls.some((url) => !isDataUrl(url));
  return signal.aborted || (isFetched && faultOf(verdict)?.code === 'outcome_unknown');
}

function flagged(categories: readonly string[]): GatewayError {
  const found =
    categories.length > 0
      ? message('content_flagged_for', { categories: categories.join(', ') })
      : message('content_flagged');
  return new GatewayError('invalid_request', found, { reason: 'content_policy', param: 'prompt' });
}
