import { describeAdapterConformance } from './adapter-conformance';

describeAdapterConformance({ protocol: 'gemini', basePath: '/v1beta', vendorWords: /google|gemini/i });
