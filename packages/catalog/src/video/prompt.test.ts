import { message } from '@mediagate/contracts';
import { promptTokensAtMost, truncatePrompt } from './prompt';

const none = new Set<string>();

it('cuts between characters, never within one, and only what is too long', () => {
  const cut = truncatePrompt(3);
  expect(cut({ prompt: '🌊🌊🌊' }, none)).toBeUndefined();
  expect(cut({ prompt: 'abc' }, none)).toBeUndefined();
  expect(cut({}, none)).toBeUndefined();
  for (const rest of ['x', '🌊', 'x'.repeat(100), '🌊'.repeat(100)]) {
    expect(cut({ prompt: `a🌊c${rest}` }, none)).toEqual({
      rewrite: { prompt: 'a🌊c' },
      warning: message('truncated', { field: 'prompt', limit: 3 }),
    });
  }
});

it('estimates tokens by UTF-8 bytes, rounded up', () => {
  const limit = promptTokensAtMost(2);
  for (const prompt of ['12345678', '🌊🌊', '水水']) expect(limit({ prompt }, none)).toBeUndefined();
  for (const prompt of ['123456789', '🌊🌊1', '水水水'])
    expect(limit({ prompt }, none)).toMatchObject({ failures: [{ param: 'prompt' }] });
});
