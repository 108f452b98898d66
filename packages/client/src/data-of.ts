/** What the wrapper of most answers holds. */
export async function dataOf<Data>(answer: Promise<{ data: Data }>): Promise<Data> {
  return (await answer).data;
}
