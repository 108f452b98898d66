import { createHmac } from 'node:crypto';
import { timeOrderedId } from '@mediagate/contracts';
import { createCallbackTokens } from './callback-tokens';

const SECRET = 'a-secret-of-some-length';
const { tokenOf, attemptOf } = createCallbackTokens([SECRET]);
const attemptId = `att_${timeOrderedId()}`;

describe('the token of an attempt', () => {
  it('names it, is the same each time, and needs no escaping in a path', () => {
    const token = tokenOf(attemptId, 'images-main');
    expect(attemptOf(token)).toMatchObject({ attemptId });
    expect(tokenOf(attemptId, 'images-main')).toBe(token);
    expect(encodeURIComponent(token)).toBe(token);
  });

  it('tells channels apart without naming them', () => {
    const tags = ['images-main', 'images-main', 'images-other'].map(
      (id) => attemptOf(tokenOf(attemptId, id))?.channelTag,
    );
    expect(tags[0]).toBe(tags[1]);
    expect(tags[0]).not.toBe(tags[2]);
    expect(tokenOf(attemptId, 'images-main')).not.toContain('images');
  });

  it('is nobody’s where any character of it is another, or one is left out', () => {
    const token = tokenOf(attemptId, 'images-main');
    for (let index = 0; index < token.length - 1; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a';
      expect(attemptOf(token.slice(0, index) + other + token.slice(index + 1))).toBeUndefined();
      expect(attemptOf(token.slice(0, index) + token.slice(index + 1))).toBeUndefined();
    }
    const [id, , signature] = token.split('.');
    expect(attemptOf(`${id}.${signature}`)).toBeUndefined();
  });

  it('counts for seven days from the beginning of the attempt', () => {
    const hour = 3_600_000;
    const begun = (hoursAgo: number) => `att_${timeOrderedId(Date.now() - hoursAgo * hour)}`;
    expect(attemptOf(tokenOf(begun(7 * 24 - 1), 'c'))).toBeDefined();
    expect(attemptOf(tokenOf(begun(7 * 24 + 1), 'c'))).toBeUndefined();
  });

  it('of a release that did not know channels counts, too', () => {
    const signature = createHmac('sha256', SECRET).update(`vendor-callback\n${attemptId}`).digest('base64url');
    expect(attemptOf(`${attemptId}.${signature}`)).toEqual({ attemptId, channelTag: '' });
  });
});
