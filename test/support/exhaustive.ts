/* Required by `npm run test:exhaustive`: the tests look at what `npm test` leaves out of a search. */
process.env.FORENOON_TEST_EXHAUSTIVE = '1';
