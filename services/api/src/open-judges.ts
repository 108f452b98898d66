import { type CallMetrics, createTextTranslator } from '@mediagate/channels';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import { createMessages, type Translator } from '@mediagate/languages';
import type { Followed } from './follow-settings';
import type { openUpstreams } from './open-resources';

interface JudgeParts {
  followed: Followed;
  upstreams: ReturnType<typeof openUpstreams>;
  calls: CallMetrics;
  /** Default: by the text models. */
  translator: Translator | undefined;
}

/** Makes the client for callers' files, the translator of messages, and the review of content. */
export function openJudges({ logger }: Scope, parts: JudgeParts) {
  const { followed, upstreams, calls } = parts;
  return {
    client: createGuardedClient({ ...followed.settings.media, allowOrigins: [] }),
    messages: createMessages({
      translator: parts.translator ?? translatorBy(parts),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    reviewing: { moderator: upstreams.moderator, channels: followed.channels, logger, calls },
  };
}

function translatorBy({ upstreams: { gemini }, followed: { channels, catalogue }, calls }: JudgeParts): Translator {
  const models = catalogue.entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
  return createTextTranslator({ channels, upstream: gemini, models, calls });
}
