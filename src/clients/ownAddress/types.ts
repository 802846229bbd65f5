/** What is found at an address that should lead here: `silent` while nothing answers behind it yet. */
export type AddressAnswer = 'answers' | 'silent' | 'unknownName' | 'badCertificate';

export type CheckAddress = (address: string) => Promise<AddressAnswer>;
