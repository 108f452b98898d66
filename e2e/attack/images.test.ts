import { type ApiProcess, startApiProcess } from '../../services/api/test/api-process';
import { judgedFetch } from '../system/judged-answers';
import { ATTACK_BODIES, ATTACK_KINDS, type AttackBody, type AttackKind } from './bodies';
import { MEMORY_MAX_MIB, peakMemory } from './watch';

/** The field that the refusal names, by the way in which the image comes. */
const FIELDS = { 'as an upload': 'file', 'as a data URL': 'data', 'as a file of an edit': 'image[0]' };

let api: ApiProcess;
let key: string;

beforeAll(async () => {
  api = await startApiProcess();
  key = await api.createKey();
});
afterAll(() => api?.stop());

function send({ path, type, bytes }: AttackBody): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  return judgedFetch(`${api.url}${path}`, { method: 'POST', headers, body: new Uint8Array(bytes) });
}

/** No edit takes a GIF, however it is made. */
const refusalOf = (kind: AttackKind) =>
  kind === 'a GIF of a million frames as a file of an edit'
    ? 'The file is image/gif; accepted are image/png, image/jpeg, image/webp. Convert it to JPEG or PNG.'
    : 'The image is damaged or ends too early.';

const CASES = Object.entries(FIELDS).flatMap(([way, param]) =>
  ATTACK_KINDS.filter((kind) => kind.endsWith(way)).map((kind) => ({ kind, param, refusal: refusalOf(kind) })),
);

it('are of four formats and come in three ways', () => expect(CASES).toHaveLength(12));

it.each(CASES)('$kind is refused by name and within memory', async ({ kind, param, refusal }) => {
  const body = ATTACK_BODIES[kind]();
  const { peakMib } = await peakMemory(api, async () => {
    const answer = await send(body);
    const { error } = (await answer.json()) as { error: unknown };
    const message = `${param}: ${refusal}`;
    expect([answer.status, error]).toMatchObject([400, { reason: 'bad_media', param, message }]);
  });
  expect(peakMib).toBeLessThan(MEMORY_MAX_MIB);
  expect(await api.health()).toBe(200);
});
