export { deleteSignInTokensBefore, deleteSignInTokensOf } from './repo.ts';
