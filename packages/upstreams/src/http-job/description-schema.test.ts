import type { Json, JsonObject } from '@mediagate/contracts';
import { checkChannelOptions, checkTemplatesFit } from '../adapters';

const STATUS = { path: '/jobs/{id}', at: '/state', words: { done: 'succeeded' } };
const JOB = { start: { id: '/id' }, status: STATUS };
const FORM = { endpoint: 'jobs', input: { prompt: { from: '/prompt' } }, output: { video: '/url' } };

const HMAC = { sign: '{method}\n{timestamp}', headers: { 'X-Sign': '{signature}', 'X-Time': '{timestamp}' } };

const faultOf = (description: Json, more: JsonObject = {}) =>
  checkChannelOptions('http-job', { http_job: description, templates: { clips: [FORM] }, ...more }, ['clips']);

it.each<[string, Json]>([
  ['nothing', {}],
  ['a job', JOB],
  ['a key in a header', { auth: { header: 'X-Key', prefix: 'Key ' } }],
  ['signatures by AWS', { auth: { aws4: { region: 'eu-central-1', service: 'execute-api' } } }],
  ['signatures by HMAC', { auth: { hmac: HMAC } }],
  ['files at once behind signatures', { auth: { hmac: HMAC }, result: { files: 'body' } }],
  ['errors at several places', { errors: { code: ['/why/kind'], message: ['/message', '/why/detail'] } }],
  ['codes as numbers', { errors: { code: '/code', none: [0], rules: [{ code: [1, 'a*'], fault: 'operator' }] } }],
])('takes %s', (_, description) => {
  expect(faultOf(description)).toBeUndefined();
});

it.each<[string, Json, string, string]>([
  ['a misspelt key', { statsu: {} }, 'statsu', 'unknown key'],
  ['a misspelt key within', { start: { ids: '/id' } }, 'start.ids', 'unknown key'],
  ['no place among several', { errors: { message: [] } }, 'errors.message', 'fewer than 1'],
  ['a pointer among several that is none', { errors: { code: ['code'] } }, 'errors.code[0]', 'must be a JSON pointer'],
  ['a pointer that is none', { ...JOB, status: { ...STATUS, at: 'state' } }, 'status.at', 'must be a JSON pointer'],
  ['no place of the state', { ...JOB, status: { path: '/jobs/{id}', words: {} } }, 'status.at', 'is missing'],
  [
    'a state that there is not',
    { ...JOB, status: { ...STATUS, words: { done: 'finished' } } },
    'status.words.done',
    'must be one of submitted, running, succeeded, failed, cancelled',
  ],
  [
    'no word for success',
    { ...JOB, status: { ...STATUS, words: { on: 'running' } } },
    'status.words',
    'has no word for succeeded',
  ],
  ['a path that leaves the base', { ...JOB, probe: { path: '/../admin' } }, 'probe.path', 'must be a path below'],
  ['a path elsewhere', { ...JOB, probe: { path: '//evil.example/' } }, 'probe.path', 'must be a path below'],
  ['a path without the job', { ...JOB, status: { ...STATUS, path: '/jobs' } }, 'status.path', 'has no {id}'],
  [
    'a name that a path does not know',
    { ...JOB, result: { path: '/{file}' } },
    'result.path',
    '{file} is not known here',
  ],
  [
    'a value that no path uses',
    { ...JOB, result: { path: '/files/{id}', from: { file: '/f' } } },
    'result.from.file',
    'is not used',
  ],
  ['a job that cannot be asked about', { start: { id: '/id' } }, 'status', 'is missing'],
  ['a question about no job', { status: STATUS }, 'start.id', 'is missing'],
  ['a cancellation of no job', { cancel: { path: '/jobs/{id}' } }, 'cancel', 'needs `start.id`'],
  ['another way to show the key', { auth: 'digest' }, 'auth', 'none, { header: name } with'],
  [
    'a misspelt key in place of one that is needed',
    { ...JOB, status: { path: '/jobs/{id}', at: '/state', wordz: STATUS.words } },
    'status.words',
    'is missing, and `wordz` beside it is unknown',
  ],
  ['a key in two places', { auth: { header: 'a', query: 'b' } }, 'auth', 'must be bearer, basic, none'],
  ['a header that `auth` says', { headers: { Authorization: 'x' } }, 'headers.Authorization', 'must be the name of a'],
  ['several values at once', { ...JOB, status: { ...STATUS, at: '/jobs/*/state' } }, 'status.at', 'without *'],
  ['a spot of several', { start: { reference: { at: '/a/*/b' } } }, 'start.reference.at', 'without *'],
  ['a path that leaves the base in another spelling', { probe: { path: '/%2e%2E/a' } }, 'probe.path', 'a path below'],
  ['a key in a header of the connection', { auth: { header: 'Host' } }, 'auth.header', 'must be the name of a header'],
  [
    'a key that a further header overwrites',
    { auth: { header: 'X-A' }, headers: { 'x-a': '1' } },
    'auth',
    'is shown in',
  ],
  [
    'a reference in the place of the key',
    { auth: { header: 'X-A' }, start: { reference: { header: 'x-a' } } },
    'start.reference',
    'is where something else is said',
  ],
  [
    'a reference in the place of the address',
    { start: { reference: { query: 'a' }, callback: { query: 'a' } } },
    'start.callback',
    'is where something else is said',
  ],
  [
    'a reference over a field of a template',
    { start: { reference: { at: '/prompt' } } },
    'start.reference.at',
    'overwrite',
  ],
  ['a cost that no answer has', { result: { files: 'body' }, cost: '/cost' }, 'cost', 'is never read'],
  ['a header that breaks out', { headers: { 'x-a': 'b\r\nc: d' } }, 'headers.x-a', 'must be printable ASCII'],
  ['a rule about nothing', { errors: { rules: [{ fault: 'operator' }] } }, 'errors.rules[0]', 'must have status, code'],
  [
    'a fault that there is not',
    { errors: { rules: [{ status: 400, fault: 'caller' }] } },
    'errors.rules[0].fault',
    'must be one of not_accepted',
  ],
  ['a spot that is two', { start: { callback: { at: '/a', query: 'b' } } }, 'start.callback', 'must be one of at'],
  ['a file of a job without its place', { ...JOB, result: { files: 'body' } }, 'result.path', 'say where the file'],
  ['a signature beside a header', { auth: { hmac: HMAC, header: 'X-Key' } }, 'auth', 'must be bearer, basic'],
  ['a signature without its region', { auth: { aws4: { service: 's3' } } }, 'auth.aws4.region', 'is missing'],
  [
    'a region that is none',
    { auth: { aws4: { region: 'EU/1', service: 's3' } } },
    'auth.aws4.region',
    'must be a name',
  ],
  [
    'an algorithm that is none',
    { auth: { hmac: { ...HMAC, algorithm: 'md5' } } },
    'auth.hmac.algorithm',
    'one of sha256',
  ],
  ['a signature of nothing', { auth: { hmac: { headers: HMAC.headers } } }, 'auth.hmac.sign', 'is missing'],
  ['a signature in no header', { auth: { hmac: { ...HMAC, headers: {} } } }, 'auth.hmac.headers', 'no {signature}'],
  [
    'a signed word that there is not',
    { auth: { hmac: { ...HMAC, sign: '{methd}' } } },
    'auth.hmac.sign',
    '{methd} is not known here: use {method}, {path}',
  ],
  [
    'a body in a header',
    { auth: { hmac: { ...HMAC, headers: { ...HMAC.headers, 'X-Body': '{body}' } } } },
    'auth.hmac.headers.X-Body',
    '{body} is not known here',
  ],
  [
    'a signed nonce that no header shows',
    { auth: { hmac: { ...HMAC, sign: '{timestamp}{nonce}' } } },
    'auth.hmac.headers',
    'has no {nonce}, which is signed',
  ],
  [
    'a signature in a header that is said otherwise',
    { auth: { hmac: HMAC }, headers: { 'x-sign': '1' } },
    'auth',
    'is shown in',
  ],
  [
    'a reference in a header of a signature',
    { auth: { aws4: { region: 'r', service: 's' } }, start: { reference: { header: 'X-Amz-Date' } } },
    'start.reference',
    'is where something else is said',
  ],
  [
    'files that a signature would be needed for',
    { ...JOB, auth: { hmac: HMAC }, result: { files: 'keyed_links' } },
    'result.files',
    'no file is fetched with a signature',
  ],
  [
    'the file of a job that a signature would be needed for',
    { ...JOB, auth: { aws4: { region: 'r', service: 's' } }, result: { path: '/{id}/file', files: 'body' } },
    'result.files',
    'no file is fetched with a signature',
  ],
  [
    'files behind a key that only a query shows',
    { ...JOB, auth: { query: 'key' }, result: { files: 'keyed_links' } },
    'result.files',
    'needs a key in a header',
  ],
])('refuses %s, and names the field', (_, description, field, problem) => {
  expect(faultOf(description)).toEqual({ field: `http_job.${field}`, problem: expect.stringContaining(problem) });
});

it('wants a description of channels with models, and templates as elsewhere', () => {
  expect(checkChannelOptions('http-job', { templates: { clips: [FORM] } }, ['clips'])).toMatchObject({
    field: 'http_job',
  });
  expect(faultOf({}, { templates: {} })).toMatchObject({ field: 'templates' });
  expect(faultOf({}, { no_such: 1 })).toContain('http_job');
});

const SOUNDS = { id: 'sound-1', name: 'clips', kind: 'music', always: ['operation', 'prompt'] };
const SOUND_FORM = { ...FORM, accepts: { '/operation': ['sounds'] }, output: { audio: '/url' } };
const misfit = (form: JsonObject) => checkTemplatesFit('http-job', { templates: { clips: [form] } }, [SOUNDS]);

it.each<[string, JsonObject, string, string]>([
  ['of a body', { from: '/body/prompt' }, '.input.more.from', 'no request of a model mapped'],
  ['of another kind of task', { from: '/resolution' }, '.input.more.from', 'no request of a model mapped'],
])('refuses a pointer %s, where no request of the model has a value', (_, more, field, problem) => {
  const input = { ...FORM.input, more };
  expect(misfit({ ...SOUND_FORM, input })).toEqual({
    field: `templates.clips[0]${field}`,
    problem: expect.stringContaining(problem),
  });
});

it('refuses a form that lacks a field of every request, because it is never sent', () => {
  expect(misfit(SOUND_FORM)).toBeUndefined();
  expect(misfit({ ...SOUND_FORM, input: { text: 'a heron' } })).toEqual({
    field: 'templates.clips[0]',
    problem: expect.stringContaining('every request of sound-1 has /prompt'),
  });
});

it('wants a place of the sound from the templates of models that make some', () => {
  const misfit = (output: JsonObject) =>
    checkTemplatesFit('http-job', { templates: { clips: [{ ...FORM, output }] } }, [
      { id: 'track-1', name: 'clips', kind: 'music' },
    ]);
  expect(misfit({ audio: '/url' })).toBeUndefined();
  expect(misfit({ video: '/url' })).toMatchObject({ field: 'templates.clips[0].output.audio' });
});
