/** A figure, but no phone number. */
export const FIGURE = /(?<![\p{N}+]|\p{N}[ -])\p{N}{1,6}(?!\p{N}|[ -]\p{N}{2})/u;
