import { forAllTests } from '@mediagate/testkit';
import { startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);

describe('GET /openapi.json', () => {
  it('describes every route to anybody, in the words of this deployment', async () => {
    const { status, headers, body } = await api.get('/openapi.json');
    expect([status, body.openapi, body.servers]).toEqual([200, '3.1.0', [{ url: 'http://127.0.0.1:8080' }]]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/v1/tasks/{id}', '/v1/music/generations/extend', '/mj/submit/imagine', '/openapi.json']),
    );
  });

  it('leaves what operators may ask to a document of its own, and each has the components that it uses', async () => {
    const [callers, operators] = [await api.get('/openapi.json'), await api.get('/openapi.operators.json')];
    const isOperators = (path: string) => path.startsWith('/admin/');
    expect(Object.keys(callers.body.paths).filter(isOperators)).toEqual([]);
    expect(Object.keys(operators.body.paths).every(isOperators)).toBe(true);
    expect([operators.body.security, callers.body.security]).toEqual([[{ operator: [] }], [{ key: [] }]]);
    expect(Object.keys(callers.body.components.schemas)).not.toContain('OperatorDelivery');
  });

  it('is not sent again to who has it', async () => {
    const etag = (await api.get('/openapi.json')).headers.get('etag') ?? '';
    const again = await api.get('/openapi.json', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await api.get('/openapi.json', { method: 'HEAD' })).headers.get('etag')).toBe(etag);
  });

  it('has no other method', async () => {
    const { status, headers } = await api.post('/openapi.json', {});
    expect([status, headers.get('allow')]).toEqual([405, 'GET, OPTIONS, HEAD']);
  });
});
