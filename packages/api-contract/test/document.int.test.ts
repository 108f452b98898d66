import { askModule } from './shipped-document';

it('two independent validators find nothing wrong with the document, its references and its examples', () => {
  expect(JSON.parse(askModule('validate.mjs'))).toEqual({ bySchema: [], byTypes: [] });
});
