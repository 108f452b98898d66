/** Unwraps an answer: most answers hold their content in `data`. */
export async function dataOf<Data>(answer: Promise<{ data: Data }>): Promise<Data> {
  return (await answer).data;
}
