import { cue, either, pairs, wordSet } from './cues.ts';
import { STOPWORDS } from './stopwords.ts';
import type { LanguagePack } from './types.ts';

/** Beginnings of verbs; who does it and when follows in the endings. */
const STEMS =
  'gönder/yolla/ilet/ara/yaz/kontrol ed/onayla/hazırla/imzala/öde/havale ed/sipariş ver/rezerv/ayarla/bitir/tamamla/güncelle/paylaş/bildir/hallet/halled/getir/teslim ed/iptal ed/düzelt/haber ver/dön/ulaştır/planla/yap/incele/bak/sor'.split(
    '/',
  );
const I_WILL = [
  'ırım',
  'irim',
  'urum',
  'ürüm',
  'arım',
  'erim',
  'rım',
  'rim',
  'acağım',
  'eceğim',
  'yacağım',
  'yeceğim',
  'acağız',
  'eceğiz',
  'yacağız',
  'yeceğiz',
  'ırız',
  'iriz',
  'arız',
  'eriz',
  'riz',
  'rız',
  'uruz',
  'ürüz',
];
const PLEASE = [
  'ın',
  'in',
  'un',
  'ün',
  'ınız',
  'iniz',
  'unuz',
  'ünüz',
  'yın',
  'yin',
  'yınız',
  'yiniz',
  'sene',
  'sana',
  'yiver',
];

/** "gönderir", "yapabilir": with "misin" behind it, a request. */
const YOU_SEND = STEMS.map(stem => `${stem}*r`);

export const turkish: LanguagePack = {
  code: 'tr',
  stopwords: STOPWORDS.tr,
  smallTalk: cue(
    'merhaba/selam/günaydın/teşekkürler/sağol/ok/tamam/evet/hayır/peki/olur/harika/süper/güzel/tabii/görüşürüz/anladım/hoşçakal/kesinlikle',
    'iyi günler/akşamlar/geceler/çalışmalar/hafta',
    'teşekkür ederim/ederiz',
    'çok teşekkürler/teşekkür/sağol',
    'rica ederim',
    'nasılsın/nasılsınız/naber',
    'kolay gelsin',
    'sorun değil',
    'çok iyi/güzel',
  ),
  opening: cue(
    '^merhaba/selam/günaydın/teşekkürler/tamam/evet/hayır/peki/olur/tabii/ama/ve/yani/ya/ok',
    '^iyi günler/akşamlar',
    '^bu arada',
    '^teşekkür ederim',
  ),
  question: cue(
    '^ne/nasıl/neden/niye/nerede/nereye/kim/kaç/hangi',
    'ne zaman',
    'mi/mı/mu/mü/misin/mısın/musun/müsün/misiniz/mısınız/musunuz/müsünüz/miyiz/mıyız/muyuz',
  ),
  inquiry: cue(
    'söyler/anlatır/açıklar/söyleyebilir/anlatabilir misin/misiniz/mısın/mısınız',
    'biliyor musun/musunuz',
    'yardım/yardımcı .. misin/misiniz/musun/musunuz',
    'var mı',
    'istiyor/ister .. musun/musunuz/misin/misiniz',
  ),
  intent: cue(
    'istiyorum/istiyoruz/isterim/isteriz/lazım/gerekiyor/gerek/planlıyorum/planlıyoruz/düşünüyorum/düşünüyoruz/öneriyorum/öneririm/umarım/zorundayım/zorundayız',
    'karar verdik/verdim',
    'çünkü/maalesef',
    'için',
  ),
  dangling: cue('^bu/şu/o/onlar/bunlar/orada/burada/bunun/onun/böyle/öyle/sonra'),
  promise: either(pairs(STEMS, I_WILL, ''), cue('bende/ilgilenirim/ilgileneceğim', 'ben hallederim')),
  promiseWithDate: cue(
    'gelirim/geleceğim/geliriz/geleceğiz/olurum/olacağım/oluruz/olacağız/veririm/vereceğim/görüşürüz/buluşuruz',
  ),
  request: either(
    pairs(YOU_SEND, ['misin/mısın/musun/müsün/misiniz/mısınız/musunuz/müsünüz']),
    pairs(
      STEMS.filter(stem => stem.length > 3),
      PLEASE,
      '',
    ),
    pairs(
      ['lütfen', 'rica etsem'],
      STEMS.map(stem => `${stem}*`),
      ' ... ',
    ),
    cue('lütfen', 'unutma/unutmayın', 'bekliyorum/bekliyoruz'),
  ),
  requestWithDate: cue('lazım/gerekiyor', 'lütfen'),
  settled: cue(
    'gönderdim/gönderdik/yolladım/yaptım/yaptık/ödedim/ödedik/imzaladım/imzaladık/hallettim/bitti/hazır/tamamlandı/ilettim/aradım',
    'gerek yok',
    'gerek kalmadı',
    'işte burada',
    'ekte',
    'yapamam/gönderemem/edemem',
  ),
  urgent: cue('acil/acilen/derhal/hemen/ivedi/asap', 'en kısa sürede/zamanda', 'bir an önce', 'şu an', 'son tarih'),
  soon: cue('bugün/yarın/yakında/önemli', 'bu hafta', 'bekliyorum/bekliyoruz'),
  positive: cue(
    'iyi/güzel/harika/süper/mükemmel/muhteşem/şahane/mutlu/mutluyum/mutluyuz/memnun/memnunum/memnunuz/teşekkür/teşekkürler/tebrik*/sevindim/sevindik/başarı*/beğendim/beğendik/seviyorum/bravo/sağol',
  ),
  negative: cue(
    'kötü/berbat/korkunç/rezalet/sorun/sorunlar/sorunu/problem/hata/hatalı/hatası/şikayet*/şikâyet*/üzgün/üzgünüm/kızgın/gecik*/geç/pahalı/bozuk/bozuldu/maalesef/iptal/hasta/ağrı*/kayıp/kaybettim/yazık/memnuniyetsiz*/iade/çalışmıyor',
  ),
  negation: /(?<![\p{L}])(?:değil|yok|hiç|asla)(?!\p{L})/u,
  meeting: cue(
    'toplantı*/buluşma*/buluşalım/buluşuruz/görüşme*/görüşelim/randevu*/yemek/yemeği/öğle/demo/sunum*/mülakat/telefonla',
  ),
  introduction: cue(
    'benim adım',
    'adım',
    'ismim',
    'seni/sizi .. tanıştırayım/tanıştırmak',
    'tanıştığıma/tanıştığımıza memnun',
    'takdim',
  ),
  dealSignals: {
    price: cue('fiyat*/ücret*/maliyet*/teklif*/tarife*', 'ne kadar'),
    discount: cue('indirim*/iskonto*'),
    budget: cue('bütçe*'),
    contract: cue('sözleşme*/kontrat*/anlaşma*/imza*'),
    renewal: cue('yenile*/uzat*/abonelik*'),
    cancellation: cue('iptal*/fesih*/feshet*/iade*'),
    order: cue('sipariş*/satın*'),
    invoice: cue('fatura*'),
    payment: cue('ödeme*/öde*/havale*/eft/taksit*/kapora*/peşinat*'),
    demo: cue('demo/tanıtım*/deneme*/pilot*'),
    delivery: cue('teslim*/teslimat*/kargo*/sevkiyat*'),
    competitor: cue('rakip*', 'başka firma/tedarikçi/teklif'),
  },
  phrasesOfNouns: false,
  nounLead: wordSet('bir bu şu o yeni benim senin onun bizim sizin her bazı hangi'),
  notNoun:
    /(?:yor|yorum|yorsun|yoruz|dım|dim|dum|düm|dık|dik|tım|tim|tik|tık|acak|ecek|ceğim|cağım|ırım|irim|arım|erim|ır|ir|mak|mek|mış|miş|muş|müş|sin|sın|siniz|sınız|lım|lim|dı|di|ti|tı|arak|erek|ınca|ince|abilir|ebilir)$/u,
  calendar: {
    today: cue('bugün*', 'bu akşam/gece'),
    tomorrow: cue('yarın*'),
    dayAfterTomorrow: cue('öbür gün', 'ertesi gün', 'yarından sonra'),
    endOfWeek: cue('hafta sonu*', 'haftanın sonu*', 'bu hafta'),
    nextWeek: cue('haftaya', 'gelecek/önümüzdeki hafta'),
    endOfMonth: cue('ay sonu*', 'ayın sonu*', 'bu ay'),
    nextMonth: cue('gelecek/önümüzdeki ay*'),
    weekdays: [
      'pazartesi*',
      "salı/salıya/salı'ya/salıyı/salıdan/salıları",
      'çarşamba*',
      'perşembe*',
      "cuma/cumaya/cuma'ya/cumayı/cumadan",
      'cumartesi*',
      "pazar/pazara/pazar'a/pazarı",
    ].map(day => cue(day)),
    months: 'ocak* şubat* mart* nisan* mayıs* haziran* temmuz* ağustos* eylül* ekim* kasım* aralık*'
      .split(' ')
      .map(month => cue(month)),
    inTime: /(?<![\p{L}\p{N}])(?<count>\d+|bir|iki|üç|dört)\s+(?<unit>gün|hafta|ay)\s+(?:sonra|içinde)(?!\p{L})/u,
    units: { day: /^g/u, week: /^h/u, month: /^a/u },
    before: /(?!)/u,
    after: cue('kadar', 'günü kadar', 'gününe kadar', 'günü', 'önce', 'sabah', 'akşam'),
  },
  phrases: {
    asks: '{who} soruyor',
    promises: '{who} söz veriyor',
    says: '{who}',
    about: '{who} görüşüyor: {topics}.',
    and: 've',
    reply: 'Cevap bekliyor: {to}',
    media: {
      photo: 'fotoğraf',
      video: 'video',
      voice: 'sesli mesaj',
      document: 'belge',
      sticker: 'çıkartma',
      location: 'konum',
      contact: 'kişi',
      poll: 'anket',
    },
  },
};
