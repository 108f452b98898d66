import { describeAdapterConformance } from '../../test/adapter-conformance';
import { checkChannelOptions } from '../index';

describeAdapterConformance({
  protocol: 'sunoapi',
  basePath: '/api/v1',
  vendorWords: /suno|chirp/i,
  answers: 'jobs',
});

it("the channel's own names are checked when it is read", () => {
  const options = { versions: { v5: 'V5' }, callback_url: 'https://operator.example/hook' };
  expect(checkChannelOptions('sunoapi', options)).toBeUndefined();
  expect(checkChannelOptions('sunoapi', { versions: 'V5' })).toContain('versions');
  expect(checkChannelOptions('sunoapi', { callback_url: 'two words' })).toContain('callback_url');
});
