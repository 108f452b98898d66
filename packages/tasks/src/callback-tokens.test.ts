import { timeOrderedId } from '@mediagate/contracts';
import { createCallbackTokens } from './callback-tokens';

const { tokenOf, attemptOf } = createCallbackTokens('a-secret-of-some-length');
const attemptId = `att_${timeOrderedId()}`;

describe('the token of an attempt', () => {
  it('names it, is the same each time, and needs no escaping in a path', () => {
    const token = tokenOf(attemptId);
    expect(attemptOf(token)).toBe(attemptId);
    expect(tokenOf(attemptId)).toBe(token);
    expect(encodeURIComponent(token)).toBe(token);
  });

  it('is nobody’s where any character of it is another', () => {
    const token = tokenOf(attemptId);
    for (let index = 0; index < token.length - 1; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a';
      expect(attemptOf(token.slice(0, index) + other + token.slice(index + 1))).toBeUndefined();
    }
  });
});
