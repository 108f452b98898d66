import type { Catalogue } from '@mediagate/catalog';
import { type CallMetrics, createTextTranslator } from '@mediagate/channels';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import { createMessages, type Translator } from '@mediagate/languages';
import type { Settings } from '@mediagate/settings';
import type { followApiSettings } from './follow-settings';
import type { openUpstreams } from './open-resources';

interface JudgeParts {
  settings: Settings;
  upstreams: ReturnType<typeof openUpstreams>;
  channels: ReturnType<typeof followApiSettings>['channels'];
  catalogue: Catalogue;
  calls: CallMetrics;
  /** Default: by the text models. */
  translator?: Translator;
}

/** Makes the client for callers' files, the translator of messages, and the review of content. */
export function openJudges({ logger }: Scope, parts: JudgeParts) {
  const { settings, upstreams, channels, calls } = parts;
  return {
    client: createGuardedClient({ ...settings.media, allowOrigins: [] }),
    messages: createMessages({
      translator: parts.translator ?? translatorBy(parts),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    reviewing: { moderator: upstreams.moderator, channels, logger, calls },
  };
}

function translatorBy({ upstreams: { gemini }, channels, catalogue, calls }: JudgeParts): Translator {
  const models = catalogue.entries.flatMap(({ id, family }) => (family === 'text' ? [id] : []));
  return createTextTranslator({ channels, upstream: gemini, models, calls });
}
