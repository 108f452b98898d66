import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from '../../test/simulator-under-test';

const simulator = forAllTests(startUnderTest);

async function makeLink(): Promise<string> {
  const body = { model: 'seedream-4-0-250828', prompt: 'a heron', size: '1K' };
  const answer = await post(`${simulator.url}/ark/api/v3/images/generations`, { key: keyOf('ark'), body });
  const { data } = (await answer.json()) as { data: [{ url: string }] };
  return data[0].url;
}

describe('a result link', () => {
  it('serves ranges of one version of the file', async () => {
    const link = await makeLink();
    const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
    const part = await fetch(link, { headers: { range: 'bytes=10-19' } });
    expect({ status: part.status, range: part.headers.get('content-range') }).toEqual({
      status: 206,
      range: `bytes 10-19/${whole.length}`,
    });
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true);
    const tail = await fetch(link, { headers: { range: 'bytes=-5' } });
    expect(Buffer.from(await tail.arrayBuffer()).equals(whole.subarray(-5))).toBe(true);
    expect((await fetch(link, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416);

    expect((await fetch(link, { headers: { 'if-range': '"other"', range: 'bytes=0-1' } })).status).toBe(200);
  });

  it('is refused after 24 hours, and when its expiry was changed', async () => {
    const link = await makeLink();
    expect((await fetch(link.replace(/exp=\d+/, 'exp=9999999999'))).status).toBe(403);
    await simulator.moveClock({ advanceMs: 24 * 3_600_000 - 5_000 });
    expect((await fetch(link)).status).toBe(200);
    await simulator.moveClock({ advanceMs: 10_000 });
    const expired = await fetch(link);
    expect({ status: expired.status, text: await expired.text() }).toMatchObject({
      status: 403,
      text: expect.stringContaining('AccessDenied'),
    });
    expect((await fetch(`${simulator.url}/assets/unknown.jpeg?exp=1`)).status).toBe(404);
  });
});
