// Copying and printing a brief. Without this file its text is there to select, and the browser prints.

addEventListener('click', async ({ target }) => {
  if (target.closest('[data-prints]')) return print();
  const button = target.closest('[data-copies]');
  if (!button) return;
  const source = document.querySelector(button.dataset.copies);
  const isCopied = await navigator.clipboard?.writeText(source.textContent).then(
    () => true,
    () => false,
  );
  source.closest('details').open = !isCopied;
  if (!isCopied) getSelection().selectAllChildren(source);
  document.querySelector('#say').textContent = isCopied ? 'Copied' : 'Selected. Copy it with your keyboard or menu.';
  button.querySelector('span').textContent = isCopied ? 'Copied' : 'Selected';
});
