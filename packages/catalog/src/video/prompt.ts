import { message } from '@mediagate/contracts';
import { type Rule, reject, rewrite } from '../rules';
import { textTokens } from '../text-tokens';

interface Prompted {
  prompt?: string;
}

/** Makes the rule that cuts a longer prompt and warns the caller. Characters are Unicode's, so none is cut in two. */
export function truncatePrompt(maxCharacters: number): Rule<Prompted> {
  return ({ prompt }) => {
    if (prompt === undefined || prompt.length <= maxCharacters) return undefined;
    // Enough to see that there are more, of a prompt that may be as long as the body: a character has one or two units.
    const characters = Array.from(prompt.slice(0, 2 * maxCharacters + 1));
    if (characters.length <= maxCharacters) return undefined;
    const kept = characters.slice(0, maxCharacters).join('');
    return rewrite({ prompt: kept }, message('truncated', { field: 'prompt', limit: maxCharacters }));
  };
}

/** Makes the rule that a prompt has at most so many tokens, by the estimate. */
export function promptTokensAtMost(maxTokens: number): Rule<Prompted> {
  return ({ prompt = '' }) => {
    const tokens = textTokens(prompt);
    if (tokens <= maxTokens) return undefined;
    return reject('prompt', 'too_many_tokens', { limit: maxTokens, tokens });
  };
}
