import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { documentOf } from './shipped-document';

/** The contents of a body or of an answer, by their types. */
function contentsOf(part: unknown): JsonObject[] {
  const content = isJsonObject(part) ? part['content'] : undefined;
  return isJsonObject(content) ? (Object.values(content) as JsonObject[]) : [];
}

const hasExample = (content: JsonObject) => content['example'] !== undefined || content['examples'] !== undefined;

describe.each(['callers', 'operators'] as const)('the document of %s', (audience) => {
  const operations = Object.values(documentOf(audience)['paths'] as Record<string, Record<string, JsonObject>>).flatMap(
    (path) => Object.values(path),
  );

  it('has an example of each request with a JSON body', () => {
    const without = operations.filter(({ requestBody }) => {
      const json = isJsonObject(requestBody) && (requestBody['content'] as JsonObject)['application/json'];
      return isJsonObject(json) && !hasExample(json);
    });
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has an example of each operation that sends or answers anything', () => {
    const without = operations.filter(({ requestBody, responses }) => {
      const answers = Object.entries(responses as JsonObject).filter(([status]) => status.startsWith('2'));
      const contents = [...contentsOf(requestBody), ...answers.flatMap(([, answer]) => contentsOf(answer))];
      return !contents.some(hasExample);
    });
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });
});
