/** What a conversation tells of a person, and a contact. */
export type Pair = {
  country: string;
  /** Calling code of the user's own account. */
  callingCode: string;
  name: string;
  /** E.164, or ''. */
  phone: string;
  firstName: string;
  lastName: string;
  company: string;
  /** As typed in the CRM. */
  theirPhone: string;
};

/*
 * country, code of the user's account; name and number in the messenger => first name; last name; company; number in the CRM.
 * Every name is in one pair only.
 */

const SAME_NUMBER = `
MX 52; Lucía Hernández Soto; +525512345678 => Lucía; Hernández Soto;; +52 1 55 1234 5678
MX 49; Diego Navarrete; +5213312345678 => Diego; Navarrete;; +52 33 1234 5678
AR 49; Martina Quiroga; +5491145678901 => Martina; Quiroga;; +54 11 4567-8901
AR 54; Joaquín Ledesma; +5493514567890 => Joaquín; Ledesma;; +54 351 15 456-7890
BR 55; Thiago Menezes; +5511987654321 => Thiago; Menezes;; +55 11 8765-4321
BR 351; Larissa Pacheco; +552188887777 => Larissa; Pacheco;; +55 (21) 98888-7777
CI 33; Awa Kouassi; +2250707654321 => Awa; Kouassi;; +225 07 65 43 21
CI 225; Serge Konan; +22545123456 => Serge; Konan;; +225 05 45 12 34 56
IT 39; Chiara Fontana; +390669812345 => Chiara; Fontana;; +39 (0)6 6981 2345
GB 44; Oliver Hartley; +441134960123 => Oliver; Hartley;; +44 113 496 0123 extension 45
DE 49; Sabine Kröger; +498912345670 => Sabine; Kröger;; +49 89 12345670 DW 45
RU 7; Вера Лаптева; +74951234567 => Вера; Лаптева;; +7 (495) 123-45-67 доб. 12
FR 33; Benoît Carpentier; +33142685300 => Benoît; Carpentier;; +33 1 42 68 53 00 poste 12
JP 81; Haruka Nomura; +81312345678 => Haruka; Nomura;; +81 3-1234-5678 内線12
JP 81; 斎藤 葵; +81335014567 => 葵; 斎藤;; ０３−３５０１−４５６７　内線５
US 1; Caleb Whitman; +14155552671 => Caleb; Whitman;; +1 415-555-2671,,45#
EG 20; Mariam Fawzy; +201001234567 => Mariam; Fawzy;; +٢٠ ١٠٠ ١٢٣ ٤٥٦٧
IR 49; Parisa Rahimi; +989121234567 => Parisa; Rahimi;; +۹۸ ۹۱۲ ۱۲۳ ۴۵۶۷
SA 966; Faisal Harbi; +966501234567 => Faisal; Harbi;; ٠٠٩٦٦ ٥٠ ١٢٣ ٤٥٦٧
AR 54; Valentina Ocampo; +541145678911 => Valentina; Ocampo;; 011 4567-8911
ZA 27; Thandi Mokoena; +27117841234 => Thandi; Mokoena;; 011 784 1234
IN 91; Rohit Bhatia; +911123456789 => Rohit; Bhatia;; 011 2345 6789
GB 44; Gemma Ashworth; +441134960188 => Gemma; Ashworth;; 0113 496 0188
DE 49; Ulrike Sommer; +491713920047 => Ulrike; Sommer;; +49 30 1234567 / +49 171 3920047
DE 43; Holger Pfeiffer; +491713920048 => Holger; Pfeiffer;; +49 30 1234567 or 0171 3920048
FR 33; Margaux Delattre; +33612345678 => Margaux; Delattre;; +33 1 42 68 53 00, +33 6 12 34 56 78
DK 45; Mette Lauridsen; +4530123456 => Mette; Lauridsen;; (45) 30 12 34 56
US 1; Grant Holloway; +14155552672 => Grant; Holloway;; +1 (415) 555-2672 (45)
AR 54; Agustina Ferreyra; +5491145678902 => Agustina; Ferreyra;; +54 9 11 15 4567-8902
AR 54; Ramiro Zárate; +5491145678903 => Ramiro; Zárate;; 011 15-4567-8903
PL 48; Halina Wrona; +48226211234 => Halina; Wrona;; (0-22) 621 12 34
BY 375; Алеся Кузьмич; +375291234567 => Алеся; Кузьмич;; 8 (029) 123-45-67
UA 380; Тарас Гнатюк; +380501234567 => Тарас; Гнатюк;; 8 050 123-45-67
AT 43; Leopold Steiner; +436641234567 => Leopold; Steiner;; 0043 (0)664 / 123 45 67
VN 84; Trinh Quoc Bao; +84701234567 => Quốc Bảo; Trịnh;; +84 120 1234567
IN 91; Kavya Deshmukh; +919876543210 => Kavya; Deshmukh;; +९१ ९८७६५ ४३२१०
`;

const SAME_COMPANY = `
RU 7; Жанна Лебедева | ООО «Ромашка»; => Жанна; Лебедева; Romashka LLC;
LV 371; Ilze Kalniņa (SIA "Rimi Latvia"); => Ilze; Kalniņa; Rimi Latvia;
DE 49; Jonas Brandt | “Acme” GmbH; => Jonas; Brandt; Acme;
US 1; Megan Doyle | 3M; => Megan; Doyle; 3M Company;
RU 7; Павел Громов — X5; => Павел; Громов; X5 Retail Group;
SE 46; Elsa Lindgren | H&M; => Elsa; Lindgren; H & M;
JP 81; Kenta Ogawa | 株式会社トヨタ; => Kenta; Ogawa; Toyota;
KR 82; Minseo Han | 주식회사 한빛; => Minseo; Han; 한빛(주);
ID 62; Dewi Lestari | PT Astra Internasional Tbk; => Dewi; Lestari; Astra Internasional;
SA 966; Khalid Otaibi | شركة المراعي; => Khalid; Otaibi; المراعي;
DE 49; Tobias Engel | Müller Logistik; => Tobias; Engel; Mueller Logistik GmbH;
RU 7; Ксения Белова | Яндекс; => Ксения; Белова; Yandex;
FR 33; Camille Roux | Société Générale; => Camille; Roux; Societe Generale SA;
PL 48; Marek Zieliński | Żabka Polska sp. z o.o.; => Marek; Zieliński; Zabka Polska;
TR 90; Defne Aksoy | Arçelik A.Ş.; => Defne; Aksoy; Arcelik;
CN 86; Lei Zhang | 华为技术有限公司; => Lei; Zhang; 华为技术;
BR 55; Rafaela Prado (Natura S/A); => Rafaela; Prado; Natura;
UA 380; Олег Бондар | ТОВ «Нова Пошта»; => Олег; Бондар; Nova Poshta;
GB 44; Harriet Webb @ Marks & Spencer; => Harriet; Webb; Marks and Spencer plc;
RU 7; Злата Орлова | Вайлдберриз; => Злата; Орлова; Wildberries;
CN 86; Fang Zhao | 华为; => Fang; Zhao; Huawei Technologies;
RU 7; Нина Жукова | Сбер; => Нина; Жукова; Sberbank;
US 1; Wade Collins | 7-Eleven; => Wade; Collins; 7 Eleven Inc;
`;

const SAME_NAME = `
DK 45; Anna\u3164Petersen; => Anna; Petersen;;
NO 47; \u115f\u1160Erik\uffa0Solberg; => Erik; Solberg;;
ES 34; Ⓜⓐⓡⓣⓐ Ⓥⓘⓓⓐⓛ; => Marta; Vidal;;
IT 39; 🅛🅤🅒🅐 🅑🅡🅤🅝🅞; => Luca; Bruno;;
DE 49; 🄺🄰🅃🄹🄰 🄺🄻🄴🄸🄽; => Katja; Klein;;
RU 7; Дмитрий Соколов; => Dmitry; Sokolov;;
UA 380; Юлія Ткаченко; => Yuliia; Tkachenko;;
GR 30; Γιώργος Παπαδάκης; => Giorgos; Papadakis;;
GE 995; გიორგი მაისურაძე; => Giorgi; Maisuradze;;
AM 374; Արամ Պետրոսյան; => Aram; Petrosyan;;
BG 359; Николай Димитров; => Nikolay; Dimitrov;;
RS 381; Милош Јовановић; => Miloš; Jovanović;;
TR 90; Gokhan Yildirim; => Gökhan; Yıldırım;;
ES 34; Jose Nunez; => José; Núñez;;
VN 84; Nguyen Van An; => Văn An; Nguyễn;;
HU 36; Nagy Eszter; => Eszter; Nagy;;
DE 49; Jürgen Groß; => Juergen; Gross;;
NL 31; van Dijk, Sanne; => Sanne; van Dijk;;
PT 351; ⒭⒰⒤ ⒯⒜⒱⒜⒭⒠⒮; => Rui; Tavares;;
FI 358; ᴀɪɴᴏ ᴠɪʀᴛᴀɴᴇɴ; => Aino; Virtanen;;
KZ 7; Sergey Volkov; => Сергей; Волков;;
`;

const OTHER_NUMBER = `
MX 52; Renata Villaseñor; +525512345678 => Renata; Villaseñor;; +52 1 55 1234 5679
MX 52; Emilio Barragán; +525511234567 => Emilio; Barragán;; +52 55 1234 5671
AR 54; Facundo Rivas; +5491145678901 => Facundo; Rivas;; +54 11 4567-8902
BR 55; Caio Falcão; +5511987654321 => Caio; Falcão;; +55 11 8765-4322
BR 55; Bianca Furtado; +5521987654321 => Bianca; Furtado;; +55 11 8765-4321
BR 55; Otávio Lacerda; +5511987654321 => Otávio; Lacerda;; +55 11 88765-4321
CI 225; Mariame Bamba; +2250707654321 => Mariame; Bamba;; +225 05 65 43 21
CI 225; Yao Aka; +2250507654321 => Yao; Aka;; +225 07 65 43 21
IT 39; Paolo Marchesi; +390669812345 => Paolo; Marchesi;; +39 (0)2 6981 2345
GB 44; Imogen Sharp; +441134960123 => Imogen; Sharp;; +44 113 496 0124 extension 23
RU 7; Глеб Фомин; +74951234567 => Глеб; Фомин;; +7 495 123-45-68 доб. 67
FR 33; Océane Picard; +33142685300 => Océane; Picard;; +33 1 42 68 53 01 poste 00
JP 81; Sota Ishida; +81312345678 => Sota; Ishida;; +81 3-1234-5670 内線8
US 1; Brooke Lawson; +14155552671 => Brooke; Lawson;; +1 415-555-2670,,1#
US 1; Dylan Foster; +442079460958 => Dylan; Foster;; 011 44 20 7946 0959
EG 20; Hossam Zaki; +201001234567 => Hossam; Zaki;; +٢٠ ١٠٠ ١٢٣ ٤٥٦٨
IR 98; Shirin Azadi; +989121234567 => Shirin; Azadi;; +۹۸ ۹۱۲ ۱۲۳ ۴۵۶۸
ZA 27; Sipho Dlamini; +27117841234 => Sipho; Dlamini;; 011 784 1235
IN 91; Meera Kapoor; +911123456789 => Meera; Kapoor;; 011 2345 6780
AT 43; Helene Winkler; +431713920047 => Helene; Winkler;; +49 171 3920047
DE 49; Volker Lenz; +491713920047 => Volker; Lenz;; +49 30 1234567 / +49 171 3920046
PL 48; Zofia Mazur; +48226211234 => Zofia; Mazur;; (0-22) 621 12 35
AR 54; Bruno Acosta; +5491145678901 => Bruno; Acosta;; +54 9 11 15 4567-8902
VN 84; Ly Gia Han; +84791234567 => Gia Hân; Lý;; +84 120 1234567
IT 39; Silvia Gatti; +390669812345 => Silvia; Gatti;; +39 6 6981 2346
`;

const OTHER_COMPANY = `
RU 7; Инна Зуева | ООО «Ромашка»; => Инна; Зуева; ООО «Рассвет»;
LV 371; Janis Ozols (SIA "Rimi Latvia"); => Janis; Ozols; SIA "Maxima Latvija";
DE 49; Lukas Vogt | “Acme” GmbH; => Lukas; Vogt; “Zenit” GmbH;
US 1; Tyler Boone | 3M; => Tyler; Boone; 5M Solutions;
RU 7; Роман Титов — X5; => Роман; Титов; X7 Group;
SE 46; Axel Nyberg | H&M; => Axel; Nyberg; C&A;
JP 81; Yui Sakai | 株式会社トヨタ; => Yui; Sakai; 株式会社ホンダ;
KR 82; Jiwoo Seo | 주식회사 한빛; => Jiwoo; Seo; 주식회사 금빛;
ID 62; Budi Santoso | PT Astra Internasional Tbk; => Budi; Santoso; PT Telkom Indonesia Tbk;
SA 966; Reem Qahtani | شركة المراعي; => Reem; Qahtani; شركة نادك;
DE 49; Nadine Busch | Müller Logistik; => Nadine; Busch; Miller Logistik;
RU 7; Антон Крылов | Яндекс; => Антон; Крылов; Сбер;
FR 33; Hugo Lemoine | Société Générale; => Hugo; Lemoine; Société Nationale;
PL 48; Ewa Sikora | Żabka Polska sp. z o.o.; => Ewa; Sikora; Lidl Polska sp. z o.o.;
TR 90; Kerem Polat | Arçelik A.Ş.; => Kerem; Polat; Vestel A.Ş.;
CN 86; Jing Luo | 华为技术有限公司; => Jing; Luo; 华硕电脑有限公司;
UA 380; Ганна Кравець | ТОВ «Нова Пошта»; => Ганна; Кравець; ТОВ «Нова Лінія»;
GB 44; Rory Blake @ Bank of Scotland; => Rory; Blake; Bank of America;
RU 7; Эмма Рогова | 1С; => Эмма; Рогова; 1B;
RU 7; Лев Карпов | Вайлдберриз; => Лев; Карпов; Yandex;
US 1; Dale Norris | 7-Eleven; => Dale; Norris; 9-Eleven;
`;

const OTHER_NAME = `
RU 7; Мария Зайцева; => Marina; Zaitseva;;
BG 359; Иван Стоянов; => Ivana; Stoyanova;;
RS 381; Petar Kostić; => Petra; Kostić;;
CZ 420; Jan Veselý; => Jana; Veselá;;
PL 48; Adam Lewandowski; => Adam; Lewandowska;;
IT 39; Carlo Rinaldi; => Carol; Rinaldi;;
NO 47; Erik Hansen; => Erik; Hanson;;
CN 86; Wei Wang; => Wei; Vang;;
DE 49; Anna Schmidt; => Anna-Maria; Schmidt;;
ES 34; Pablo García; => Pablo; García Lorca;;
US 1; Walter Briggs Jr; => Walter; Briggs Sr;;
KR 82; Min-jun Kang; => Min-jung; Kang;;
TR 90; Mehmet Yılmaz; => Mehmet; Yıldız;;
VN 84; Tran Van An; => Văn Anh; Trần;;
GR 30; Γιώργος Νικολάου; => Georgia; Nikolaou;;
UA 380; Олександр Мороз; => Oleksandra; Moroz;;
EG 20; Mohamed Nasser; => Mahmoud; Nasser;;
SE 46; Björn Dahl; => Bjarne; Dahl;;
HU 36; Ⓗⓐⓝⓝⓐ Ⓥⓐⓢⓢ; => Anna; Vass;;
DK 45; Sofie\u3164; => Sofie; Madsen;;
GB 44; D. Cooper; => Daniel; Cooper;;
GE 995; გიორგი ბერიძე; => Grigol; Beridze;;
US 1; Stuart Penn 2nd; => Stuart; Penn 3rd;;
PT 351; ⒭⒰⒤ ⒨⒪⒯⒜; => Rita; Mota;;
`;

export const SAME = [SAME_NUMBER, SAME_COMPANY, SAME_NAME].flatMap(read);
export const DIFFERENT = [OTHER_NUMBER, OTHER_COMPANY, OTHER_NAME].flatMap(read);

function read(table: string): Pair[] {
  return table
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [ours = '', theirs = ''] = line.split('=>');
      const [place = '', name = '', phone = ''] = ours.split(';').map(part => part.trim());
      const [firstName = '', lastName = '', company = '', theirPhone = ''] = theirs.split(';').map(part => part.trim());
      const [country = '', callingCode = ''] = place.split(' ');
      return { country, callingCode, name, phone, firstName, lastName, company, theirPhone };
    });
}
