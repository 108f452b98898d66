import { openBucket } from '../src';

it('takes an object while the one beside it is removed', async () => {
  const bucket = await openBucket();
  const url = (name: string) => `${bucket.storage.endpoint}/${bucket.storage.bucket}/results/${name}`;
  const put = (name: string) =>
    fetch(url(name), { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } });
  const remove = (name: string) => fetch(url(name), { method: 'DELETE' });
  for (let round = 0; round < 100; round += 1) {
    await put(`${round}-a`);
    const [added, removed] = await Promise.all([put(`${round}-b`), remove(`${round}-a`)]);
    expect([added.status, removed.status]).toEqual([200, 204]);
    expect((await fetch(url(`${round}-a`))).status).toBe(404);
    await remove(`${round}-b`);
  }
  await bucket.close();
});
