import { nanoToDecimal } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../test/test-api';
import { fileOf, pngOf } from '../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const submit = (idempotencyKey: string, body: unknown = SMALL_IMAGE, key = caller.key) =>
  api.post('/v1/images/generations', body, { key, headers: { 'idempotency-key': idempotencyKey } });

const editForm = (pixel: number, field = 'image') => {
  const form = new FormData();
  form.set('model', 'imagegen-2.5-flare');
  form.set('prompt', 'a boat');
  form.set(field, fileOf(pngOf(pixel, pixel)), 'a.png');
  return form;
};

describe('Idempotency-Key', () => {
  it('repeats the first acknowledgement, and its warnings in the language of whoever repeats', async () => {
    const body = { ...SMALL_IMAGE, colour: 'red' };
    const first = await submit('warned', body);
    const again = await submit('warned', body);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(again.headers.get('x-task-id')).toBe(first.headers.get('x-task-id'));
    const headers = { 'idempotency-key': 'warned', 'accept-language': 'de' };
    const inGerman = await api.post('/v1/images/generations', body, { key: caller.key, headers });
    expect(inGerman.body.data[0].warnings).toEqual(['colour wurde ignoriert: Das Modell hat kein solches Feld']);
  });

  it('sees the same request whatever the order of its fields, and another in any other field', async () => {
    const first = await submit('order', { ...SMALL_IMAGE, n: 1 });
    const { model, ...rest } = SMALL_IMAGE;
    const reordered = await submit('order', { n: 1, ...rest, model });
    expect(reordered.body).toEqual(first.body);
    const rows = await api.countRows();
    const other = await submit('order', { ...SMALL_IMAGE, n: 2 });
    expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_conflict']);
    expect(await api.countRows()).toEqual(rows);
  });

  it('answers a repetition even when nothing is left to spend', async () => {
    const poor = await api.createCaller({ balance: nanoToDecimal(smallImagePrice()) });
    const first = await submit('last-money', SMALL_IMAGE, poor.key);
    expect(first.status).toBe(200);
    expect((await submit('another', SMALL_IMAGE, poor.key)).status).toBe(402);
    const again = await submit('last-money', SMALL_IMAGE, poor.key);
    expect(again.body).toEqual(first.body);
  });

  it('leaves no trace of a submission that was refused: the same key may be used for a good one', async () => {
    expect((await submit('second-try', { ...SMALL_IMAGE, n: 9 })).status).toBe(400);
    expect((await submit('second-try')).status).toBe(200);
  });

  it('counts the content of files: the same form again is a repetition, another image a conflict', async () => {
    const send = (pixel: number) =>
      api.post('/v1/images/edits', editForm(pixel), { key: caller.key, headers: { 'idempotency-key': 'form' } });
    const first = await send(8);
    expect(first.status).toBe(200);
    const rows = await api.countRows();
    expect((await send(8)).body).toEqual(first.body);
    expect((await send(9)).status).toBe(409);
    // Neither was worth storing a file.
    expect(await api.countRows()).toEqual(rows);
  });

  it('answers a repetition as before although its own link has expired since', async () => {
    const { body: upload } = await api.post('/v1/uploads/images', editForm(8, 'file'), { key: caller.key });
    const body = { ...SMALL_IMAGE, image_urls: [upload.url] };
    const first = await submit('gone', body);
    expect(first.status).toBe(200);
    const [, id = ''] = /files\/(\w+)\./.exec(upload.url) ?? [];
    await api.database.mediaObject.update({ where: { id }, data: { deletedAt: new Date() } });
    expect((await submit('gone-now', body)).status).toBe(400);
    expect((await submit('gone', body)).body).toEqual(first.body);
    expect((await submit('gone', { ...body, n: 2 })).status).toBe(409);
  });

  it('answers a repetition as before although its model is offered no more', async () => {
    const later = await startTestApi({ served: ['imagegen-2.5-flare'] });
    const { key } = await later.createCaller();
    const send = (name: string) =>
      later.post('/v1/images/generations', SMALL_IMAGE, { key, headers: { 'idempotency-key': name } });
    const first = await send('same');
    later.configure({ served: [] });
    expect((await send('other')).status).toBe(400);
    expect((await send('same')).body).toEqual(first.body);
    await later.stop();
  });

  it('tells the same body on another route apart', async () => {
    const body = { ...SMALL_IMAGE, image_urls: ['https://example.com/a.png'] };
    expect((await submit('route', body)).status).toBe(200);
    const headers = { 'idempotency-key': 'route' };
    expect((await api.post('/v1/images/edits', body, { key: caller.key, headers })).status).toBe(409);
  });
});
