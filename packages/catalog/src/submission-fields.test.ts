import { parseSubmissionFields } from './index';

it('webhook and language are optional, and blank ones are missing', () => {
  expect(parseSubmissionFields({ model: 'a' })).toEqual({ ok: true, warnings: [] });
  expect(parseSubmissionFields({ webhook: ' ', language: '' })).toEqual({ ok: true, warnings: [] });
});

it('webhook must be a string, whatever it says: its URL is judged when it is called', () => {
  expect(parseSubmissionFields({ webhook: 'not a url' })).toEqual({ ok: true, webhook: 'not a url', warnings: [] });
  for (const webhook of [5, null, true, {}, ['https://example.com']]) {
    expect(parseSubmissionFields({ webhook })).toEqual({
      ok: false,
      code: 'invalid_request',
      param: 'webhook',
      message: 'webhook must be a string',
    });
  }
});

it('a webhook of any length is kept as sent', () => {
  const webhook = `https://example.com/${'a'.repeat(10_000)}`;
  expect(parseSubmissionFields({ webhook })).toEqual({ ok: true, webhook, warnings: [] });
});

it('language values are case-insensitive and surrounding whitespace is trimmed', () => {
  for (const language of ['en', 'zh', 'ja', 'ko', 'pt', 'ru', 'fr', 'de', 'id', 'es']) {
    expect(parseSubmissionFields({ language: ` ${language.toUpperCase()} ` })).toEqual({
      ok: true,
      language,
      warnings: [],
    });
  }
});

it('unsupported languages, regional tags among them, do not fail the submission', () => {
  for (const language of ['zh-CN', 'it', 'english', '__proto__']) {
    const parsed = parseSubmissionFields({ language });
    expect(parsed).toEqual({
      ok: true,
      warnings: [expect.stringMatching(/^language was ignored: it is not one of en, /)],
    });
  }
  expect(parseSubmissionFields({ language: 1 })).toMatchObject({ ok: false, param: 'language' });
});

it('a field that the route does not take is 400 "parameter is not supported"', () => {
  const unsupported = ['webhook', 'language'];
  expect(parseSubmissionFields({ webhook: 'https://example.com' }, unsupported)).toMatchObject({
    ok: false,
    param: 'webhook',
    message: 'webhook: parameter is not supported',
  });
  expect(parseSubmissionFields({ language: 7 }, unsupported)).toMatchObject({
    ok: false,
    message: 'language: parameter is not supported',
  });
  expect(parseSubmissionFields({ language: ' ' }, unsupported)).toMatchObject({ ok: true });
});
