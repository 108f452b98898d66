import { checkAgainst, type OptionRules } from '../channel-options';
import { createOpenAiProbe } from '../openai-models';
import type { Clients, ProtocolDescription } from '../protocol';

/**
 * - `key_header`: where the key goes; `api-key` as Azure has it.
 * - `path`: `deployment` puts the model into the path, `/deployments/<model>/chat/completions`.
 * - `api_version`: added to the address as `api-version`.
 * - `max_tokens_field`: what the server calls the limit of an answer.
 * - `timeout_seconds`: until the answer begins.
 */
const OPTIONS: OptionRules = {
  key_header: { kind: 'choice', of: ['authorization', 'api-key'] },
  path: { kind: 'choice', of: ['chat', 'deployment'] },
  api_version: { kind: 'text' },
  max_tokens_field: { kind: 'choice', of: ['max_completion_tokens', 'max_tokens'] },
  timeout_seconds: { kind: 'integer', min: 1, max: 300 },
};

/** Chat completions, as many servers speak them: `text.ts` speaks them for the process that has a caller waiting. */
export default function createOpenAiChat({ http }: Clients): ProtocolDescription {
  return {
    protocol: 'openai-chat',
    families: ['text'],
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createOpenAiProbe(http),
  };
}
