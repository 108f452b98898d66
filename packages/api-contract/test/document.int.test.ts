import { askModule, document, documentOf, operations } from './shipped-document';

interface Part {
  content?: Record<string, object>;
}
type Described = Record<string, Record<string, { requestBody?: Part; responses?: Record<string, Part> }>>;

it.each(['callers', 'operators'] as const)(
  'two independent validators find nothing wrong with the document of %s, its references and its examples',
  (audience) => {
    expect(JSON.parse(askModule('validate.mjs', documentOf(audience)))).toEqual({ bySchema: [], byTypes: [] });
  },
);

it('no field of a request has a default that generators of clients would demand of callers', () => {
  const { paths, components } = documentOf('callers');
  const { schemas } = components as { schemas: object };
  const bodies = Object.values(paths as object).flatMap((methods: object) =>
    Object.values(methods).map(({ requestBody }: { requestBody?: object }) => requestBody ?? {}),
  );
  const models = Object.entries(schemas).filter(([name]) => /^[a-z]/.test(name));
  expect(JSON.stringify([bodies, models])).not.toContain('"default":');
});

it('every operation that takes or answers JSON shows an example', () => {
  const without = operations.filter(({ path, method }) => {
    const { requestBody, responses } = (document['paths'] as Described)[path]?.[method] ?? {};
    const parts = [requestBody, ...Object.entries(responses ?? {}).flatMap(([status, it]) => (status < '3' ? it : []))];
    const json = parts.flatMap((part) => part?.content?.['application/json'] ?? []);
    return json.length > 0 && !json.some((content) => 'example' in content || 'examples' in content);
  });
  expect(without.map(({ id }) => id)).toEqual([]);
});
