import type { ModeratedContent } from '@mediagate/catalog';
import { GatewayError } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import { type Channel, MODERATION_MODEL } from '@mediagate/settings';
import type { Moderator } from '@mediagate/upstreams';

export interface ReviewContentDeps {
  moderator: Pick<Moderator, 'protocol' | 'moderate'>;
  /** Asked at every review, so that a reloaded configuration counts at once. */
  channels(): readonly Channel[];
  logger: Logger;
}

/** Over all channels: the caller waits for it. */
const REVIEW_TIMEOUT_MS = 5000;

/**
 * Has a prompt and pictures reviewed before anything is booked. It fails closed: without a verdict there is no task.
 *
 * @throws GatewayError `invalid_request`, naming the categories; `upstream_unreachable` when nobody gave a verdict.
 */
export function createReviewContent(deps: ReviewContentDeps): (content: ModeratedContent) => Promise<void> {
  return async ({ prompt, images }) => {
    const signal = AbortSignal.timeout(REVIEW_TIMEOUT_MS);
    const input = { ...(prompt === undefined ? {} : { prompt }), imageUrls: images.map(({ url }) => url) };
    for (const channel of reviewers(deps)) {
      const { id: channelId, baseUrl, apiKey, options } = channel;
      const endpoint = { channelId, baseUrl, apiKey, model: channel.models.get(MODERATION_MODEL) ?? '', options };
      const verdict = await deps.moderator.moderate(input, { endpoint, signal });
      if (verdict.kind === 'passed') return;
      if (verdict.kind === 'flagged') throw flagged(verdict.categories);
      const { code, detail } = verdict.fault;
      deps.logger.warn('moderation.failed', { channelId, fault: code, detail });
      if (signal.aborted) break;
    }
    throw new GatewayError('upstream_unreachable', 'The content could not be reviewed. Please try again later.', {
      reason: 'review_unavailable',
    });
  };
}

function reviewers({ channels, moderator }: ReviewContentDeps): Channel[] {
  return channels()
    .filter(({ protocol, models }) => protocol === moderator.protocol && models.has(MODERATION_MODEL))
    .sort((left, right) => left.priority - right.priority);
}

function flagged(categories: readonly string[]): GatewayError {
  const found = categories.length > 0 ? `: ${categories.join(', ')}` : '';
  return new GatewayError('invalid_request', `The prompt or an input image was flagged by moderation${found}.`, {
    reason: 'content_policy',
    param: 'prompt',
  });
}
