// The judge of NAME: a client of the vendor as its documentation has one, or as others have written it. It drives the simulator, and knows
// nothing of the adapter: where both agree with it, they mean the same vendor.
import assert from 'node:assert/strict';

/** What the suite has to know: the path of `base_url`, words that would name the vendor to a caller, and how a start is answered. */
export const suite = { basePath: '/v1', vendorWords: /NAME/i, answers: 'jobs' };

/**
 * @param {object} place
 * @param {string} place.baseUrl
 * @param {string} place.key
 * @param {string} place.model
 */
export default async function judge({ baseUrl, key, model }) {
  const call = async (path = '', body = undefined, as = key) => {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
    const more = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}${path}`, { headers, ...more });
    return { status: response.status, body: await response.json() };
  };
  assert.equal((await call('/videos', { model, prompt: 'a heron' }, 'another')).status, 401, 'a wrong key is taken');
  const refused = await call('/videos', { model, prompt: 'refuse this' });
  assert.equal(refused.body.error.code, 'content_refused', 'content that is refused has another code');
  const { status, body } = await call('/videos', { model, prompt: 'a heron', seconds: 5 });
  assert.equal(status, 201, 'a job is not taken');
  const states = [];
  let last = body;
  while (last.state !== 'finished' && states.length < 10) {
    last = (await call(`/videos/${body.id}`)).body;
    states.push(last.state);
  }
  assert.deepEqual(states, ['queued', 'working', 'finished'], 'a job has other states');
  assert.match(last.url, /^https:/, 'a finished job has no link');
}
