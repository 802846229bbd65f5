/** Response at an address that should lead here: `silent` if the server behind it doesn't answer yet. */
export type AddressAnswer = 'answers' | 'silent' | 'unknownName' | 'badCertificate';

export type CheckAddress = (address: string) => Promise<AddressAnswer>;
