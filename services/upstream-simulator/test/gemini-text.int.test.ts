import { ApiError, GoogleGenAI } from '@google/genai';
import { keys, type SimulatorUnderTest, startUnderTest } from './simulator-under-test';

const model = 'gemini-2.5-flash';
let simulator: SimulatorUnderTest;
let client: GoogleGenAI;

beforeAll(async () => {
  simulator = await startUnderTest();
  const httpOptions = { baseUrl: `${simulator.url}/gemini`, fetch };
  client = new GoogleGenAI({ apiKey: keys.gemini, httpOptions });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

describe("the vendor's own client", () => {
  it('gets the same text whole and bit by bit, and the same usage in the end', async () => {
    const whole = await client.models.generateContent({ model, contents: 'Tell me of rivers' });
    const chunks = [];
    for await (const chunk of await client.models.generateContentStream({ model, contents: 'Tell me of rivers' })) {
      chunks.push(chunk);
    }
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ text }) => text).join('')).toBe(whole.text);
    expect(chunks.at(-1)?.usageMetadata).toEqual(whole.usageMetadata);
  });

  it('reads a refusal as its own error', async () => {
    const attempt = client.models.generateContent({ model: 'gemini-imaginary', contents: 'x' });
    await expect(attempt).rejects.toBeInstanceOf(ApiError);
    await expect(attempt).rejects.toMatchObject({ status: 404 });
  });
});
