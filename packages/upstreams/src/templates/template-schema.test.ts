import type { Json } from '@mediagate/contracts';
import { templateOptionsFault } from './templated-job';

const FORM = { endpoint: 'owner/name', input: {}, output: { image: '/images/*/url' } };
const faultOf = (form: Json) => templateOptionsFault({ templates: { t: [form] } }, ['t']);

it('takes forms as the documents have them', () => {
  const input = {
    a: { from: '/prompt' },
    b: [1, { from: '/n', min: 1 }],
    c: { d: { first_of: ['x', { literal: {} }] } },
  };
  expect(faultOf({ ...FORM, input, accepts: { '/size': ['auto'], '/seed': 'any' } })).toBeUndefined();
  expect(faultOf({ ...FORM, endpoint: `owner/name:${'0a'.repeat(32)}`, output: { video: '/output' } })).toBeUndefined();
});

it.each<[string, Json, string, string]>([
  ['no endpoint', { input: {}, output: FORM.output }, '[0].endpoint', 'is missing'],
  ['an endpoint that leaves the path', { ...FORM, endpoint: 'a/../b' }, '[0].endpoint', "must be the vendor's name"],
  [
    'an endpoint elsewhere',
    { ...FORM, endpoint: 'https://evil.example/a' },
    '[0].endpoint',
    "must be the vendor's name",
  ],
  ['no place of an output', { ...FORM, output: {} }, '[0].output', 'must say where'],
  ['a place that is no pointer', { ...FORM, output: { image: 'url' } }, '[0].output.image', 'must be a JSON pointer'],
  ['a misspelt key', { ...FORM, inputs: {} }, '[0].inputs', 'unknown key'],
  [
    'a misspelt word of a value',
    { ...FORM, input: { a: { from: '/a', valeus: [] } } },
    '[0].input.a.valeus',
    'unknown key',
  ],
  ['a value from no pointer', { ...FORM, input: { a: { from: 'a' } } }, '[0].input.a.from', 'must be a JSON pointer'],
  [
    'another conversion',
    { ...FORM, input: { a: { from: '/a', as: 'date' } } },
    '[0].input.a.as',
    'must be one of text, number',
  ],
  ['a deep fault', { ...FORM, input: { a: [{ b: { from: 1 } }] } }, '[0].input.a[0].b.from', 'must be a JSON pointer'],
  ['a misspelt from', { ...FORM, input: { a: { form: '/prompt' } } }, '[0].input.a.form', 'write { from: /prompt }'],
  [
    'a misspelt from beside other words',
    { ...FORM, input: { a: { b: { form: '/promt', required: true } } } },
    '[0].input.a.b.required',
    'needs `from`',
  ],
  ['a pointer in place of its value', { ...FORM, input: { a: ['/size/width'] } }, '[0].input.a[0]', 'as it stands'],
  ['a misspelt pointer', { ...FORM, input: { a: { from: '/promt' } } }, '[0].input.a.from', 'no request has'],
  [
    'a part that no field has',
    { ...FORM, input: { a: { from: '/size/depth' } } },
    '[0].input.a.from',
    'no request has',
  ],
  ['a role of no file', { ...FORM, input: { a: { from: '/inputs/frame/0' } } }, '[0].input.a.from', 'no request has'],
  ['a misspelt pointer of what is accepted', { ...FORM, accepts: { '/sed': 'any' } }, '[0].accepts./sed', 'no request'],
  [
    'a misspelt pointer of a length',
    { ...FORM, output: { video: '/v', keep_seconds: '/second' } },
    '[0].output.keep_seconds',
    'no request has',
  ],
  [
    'a pointer that is said twice',
    { ...FORM, input: { a: { from: '/n' } }, accepts: { '/n': [1] } },
    '[0].accepts./n',
    'is taken by `input` already',
  ],
  ['one place of two outputs', { ...FORM, output: { image: '/u', video: '/u' } }, '[0].output.video', 'already'],
  [
    'a word beside a choice',
    { ...FORM, input: { a: { first_of: [1], frist: 2 } } },
    '[0].input.a.frist',
    'unknown key',
  ],
  [
    'bounds that nothing is within',
    { ...FORM, input: { a: { from: '/n', min: 3, max: 2 } } },
    '[0].input.a.min',
    'above',
  ],
  ['another word than any', { ...FORM, accepts: { '/a': 'all' } }, '[0].accepts./a', 'must be a list of values'],
])('finds %s, and says where', (_, form, field, problem) => {
  expect(faultOf(form)).toEqual({ field: `templates.t${field}`, problem: expect.stringContaining(problem) });
});

it('finds a model without a template, and an option that it does not know', () => {
  expect(templateOptionsFault({}, ['t'])).toMatchObject({
    field: 'templates',
    problem: expect.stringContaining('"t"'),
  });
  expect(templateOptionsFault({ speed: 1 })).toContain('unknown option "speed"; known are timeout_seconds');
});
