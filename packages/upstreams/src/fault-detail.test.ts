import { faultDetail } from './fault-detail';

const secrets = { apiKey: 'key-1234', prompt: 'A quiet harbour at dawn, painted in oil' };

it('keeps what helps an operator', () => {
  const words = "status 400: invalid_value, param size: Invalid value: '100x100'. Use 1024x1024 or auto.";
  expect(faultDetail(words, secrets)).toBe(words);
});

it('masks every run of 16 characters of the prompt, in any letter case, and keeps what stands around it', () => {
  expect(faultDetail('rejected: "QUIET HARBOUR at dawn, pain..." (violence)', secrets)).toBe(
    'rejected: "[prompt]..." (violence)',
  );
});

it('masks a short prompt whole, and leaves one of under four characters alone', () => {
  expect(faultDetail('bad word: tulip', { apiKey: '', prompt: 'tulip' })).toBe('bad word: [prompt]');
  expect(faultDetail('bad category', { apiKey: '', prompt: 'cat' })).toBe('bad category');
});

it('masks a quote wherever it begins, of a long prompt and of short ones', () => {
  for (const prompt of [secrets.prompt, 'tulip', 'rose', 'a red tulip']) {
    for (let before = 0; before < 40; before += 1) {
      const quote = prompt.slice(0, 16);
      const detail = faultDetail(`${'.'.repeat(before)}${quote}${'.'.repeat(before % 7)}`, { apiKey: '', prompt });
      expect(detail).toBe(`${'.'.repeat(before)}[prompt]${'.'.repeat(before % 7)}`);
    }
  }
});

it('masks keys, half-masked keys, links and long tokens', () => {
  const words = `key-1234 sk-abcdefgh12 sk-ab****yz https://host.example/x?sig=1 ${'f'.repeat(64)}`;
  expect(faultDetail(words, secrets)).toBe('[key] [key] [masked] [link] [token]');
});

it('masks either part of a key of two', () => {
  const words = 'access key not found: access-123; signed by secret-456; ab';
  expect(faultDetail(words, { apiKey: 'access-123:secret-456', prompt: '' })).toBe(
    'access key not found: [key]; signed by [key]; ab',
  );
});

it('masks a secret behind an id that has a colon itself', () => {
  const words = 'key-5678 signs with ab:cd:efgh; efgh';
  expect(faultDetail(words, { apiKey: 'key-5678:ab:cd:efgh', prompt: '' })).toBe('[key] signs with [key]; efgh');
});

it('masks a key in the spellings of a query and of HTTP Basic', () => {
  const masked = (apiKey: string, words: string) => faultDetail(words, { apiKey, prompt: '' });
  expect(masked('ab+c /d=', 'no GET /jobs?key=ab%2Bc+%2Fd%3D&x=1')).toBe('no GET /jobs?key=[key]&x=1');
  expect(masked('ab+c /d=', 'no GET /jobs?key=ab%2Bc%20%2Fd%3D')).toBe('no GET /jobs?key=[key]');
  expect(masked('name:pass', 'not taken: Basic bmFtZTpwYXNz, of name:pass')).toBe('not taken: Basic [key], of [key]');
});

it('shows no part of a key, or of a token, at which a long message is cut', () => {
  const token = 'd1e2f3a4b5c6'.repeat(5);
  const twoParts = `ab12cd34ef56.${'Q'.repeat(60)}:secret-of-two-parts`;
  const sameEnds = 'a12cd34ef56b7c8d9e0f.Qq7Zx9Lm2Wp5Ra';
  for (const apiKey of ['ak9xQ2wE7rT5yU1iO3pA', twoParts, sameEnds]) {
    for (const secret of [apiKey, ...apiKey.split(':'), token]) {
      for (let shown = 0; shown <= secret.length; shown += 1) {
        const before = `${'A'.repeat(4000 - 5 - shown)} key `;
        const detail = faultDetail(`${before}${secret} ${'and so on '.repeat(50)}`, { apiKey, prompt: '' });
        expect(detail).toMatch(/^\[token\](?: key)?(?: \[(?:key|token)\])*$/);
      }
    }
  }
});

it('is one line of at most 500 characters without control characters', () => {
  const detail = faultDetail(`a\r\n\u001b[31mb ${'word '.repeat(5_000)}`, secrets);
  expect(detail).toHaveLength(500);
  expect(detail.startsWith('a [31mb word')).toBe(true);
});

it('holds no half of a character, which no database keeps as JSON', () => {
  for (let before = 490; before < 500; before += 1) {
    const detail = faultDetail(`${'.'.repeat(before)}${'\u{1f600} '.repeat(20)}`, secrets);
    expect(detail).not.toMatch(/\p{Surrogate}/u);
  }
  // The characters share their first half alone.
  const quote = 'fifteen letters';
  expect(faultDetail(`${quote}\u{1f601}`, { apiKey: '', prompt: `${quote}\u{1f600}` })).toBe('[prompt]');
});

it('takes a prompt of 32000 characters and a message of a megabyte', () => {
  const detail = faultDetail('x'.repeat(1_000_000), { apiKey: '', prompt: 'lorem ipsum '.repeat(2_700) });
  expect(detail).toBe('[token]');
});
