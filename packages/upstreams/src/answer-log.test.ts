import type { Json } from '@mediagate/contracts';
import { type AnswerLog, answerExcerpt, logAnswer, logAnswers } from './answer-log';

const SECRETS = { apiKey: 'sk-live-0123456789', input: { prompt: 'an old lighthouse at dusk', size: '1024x1024' } };

async function excerptOf(value: Json, secrets = SECRETS): Promise<string | undefined> {
  const log: AnswerLog = {};
  await logAnswers(log, async () => logAnswer({ status: 200, body: { kind: 'json', value } }));
  return answerExcerpt(log, secrets);
}

describe('the excerpt of a vendor’s answer', () => {
  it('shows what an operator asks a vendor about', async () => {
    const answer = { id: 'job-7', status: 'failed', error: { code: 1301, message: 'size 1024x1024 is not served' } };
    expect(await excerptOf(answer)).toBe(`HTTP 200 ${JSON.stringify(answer)}`);
  });

  it('has no key, no prompt in whatever field, no signed link and no token', async () => {
    const excerpt = await excerptOf({
      message: 'refused: An old lighthouse at dusk, with sk-live-0123456789',
      data: [{ url: 'https://bucket.example/a.png?sig=abc', token: 'x'.repeat(60) }],
      revised_prompt: 'a beacon',
      echo: { input: { text: 'short' } },
    });
    expect(excerpt).toContain('[link]');
    for (const secret of ['lighthouse', 'sk-live', 'sig=', 'xxxx', 'beacon', 'short']) {
      expect(excerpt).not.toContain(secret);
    }
  });

  it('says how long an image in base64 was, and never grows beyond 2,000 characters', async () => {
    expect(await excerptOf({ b64_json: 'A'.repeat(1_000_000) })).toBe('HTTP 200 {"b64_json":"[1000000 characters]"}');
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, 'a b '.repeat(48)]));
    expect((await excerptOf({ ...many, deep: many }))?.length).toBe(2_000);
  });

  it('shows no part of a key at which a long answer is cut', async () => {
    const apiKey = 'ak9xQ2wE7rT5yU1iO3pA';
    const links = Array(19).fill(`https://results.example/${'a'.repeat(170)}`);
    const keys = Array(20).fill(`key ${apiKey} `.repeat(7));
    for (let shift = 0; shift < 100; shift += 1) {
      const rows = [...Array(1 + (shift % 4)).fill(links), keys, keys, keys];
      const excerpt = await excerptOf(['-'.repeat(shift / 4), ...rows], { ...SECRETS, apiKey });
      for (let begin = 0; begin + 4 <= apiKey.length; begin += 1) {
        expect(excerpt).not.toContain(apiKey.slice(begin, begin + 4));
      }
    }
  });

  it('holds no half of a character, which no database keeps as JSON', async () => {
    for (const before of ['', '-']) {
      const excerpt = await excerptOf(Array.from({ length: 20 }, () => `${before}${'\u{1f600}'.repeat(90)}`));
      expect(excerpt?.length).toBeGreaterThan(1_990);
      expect(excerpt).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('is of the last answer, and of none that another task got at the same time', async () => {
    const logs: AnswerLog[] = [{}, {}, {}];
    const answer = (value: Json) => logAnswer({ status: 200, body: { kind: 'json', value } });
    await Promise.all(
      logs.slice(0, 2).map((log, index) =>
        logAnswers(log, async () => {
          answer('first');
          await Promise.resolve();
          answer(`of ${index}`);
        }),
      ),
    );
    expect(logs.map((log) => answerExcerpt(log, SECRETS))).toEqual(['HTTP 200 "of 0"', 'HTTP 200 "of 1"', undefined]);
  });

  it('names what could not be read', async () => {
    const log: AnswerLog = {};
    await logAnswers(log, async () => logAnswer({ status: 502, body: { kind: 'unreadable', why: 'not_json' } }));
    expect(answerExcerpt(log, SECRETS)).toBe('HTTP 502 "[not_json]"');
  });
});
