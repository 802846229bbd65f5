/** Family names that come in front, or come in twos. Plain Latin letters, or their own script. */

const lists = (text: string) => new Set(text.trim().split(/\s+/));

export const CHINESE = lists(`
wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang xu deng han
feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lu ding ren shen yao lv qian cui tan fan jin
wong chan cheung leung lau ho lam tsang kwok ng fung
`);
/** Family names even in front of another family name: Wang Wei. */
export const COMMON_CHINESE = lists('wang li zhang liu chen yang huang zhao zhou zhu');
export const HAN = new Set(
  `王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許邓鄧韩韓冯馮曹彭曾肖田董潘袁蔡蒋蔣余于杜叶葉程魏苏蘇吕呂丁任
  卢盧姚沈钟鐘姜崔谭譚陆陸范汪廖石金韦韋贾賈夏付方邹鄒熊白孟秦邱侯江尹薛闫段雷龙龍黎史陶贺賀顾顧毛郝龚龔邵万萬钱錢严嚴武戴莫孔向汤湯`.replaceAll(
    /\s/g,
    '',
  ),
);
export const HAN_COMPOUND = /^(?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|东方|東方|皇甫|尉迟|公孙|慕容|司徒|夏侯|令狐)/u;
export const HANGUL = new Set(
  '김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국은편용',
);
export const HANGUL_COMPOUND = /^(?:남궁|황보|제갈|선우|독고|사공|서문)/u;
export const KOREAN = lists(
  'kim lee park choi jung jeong kang cho yoon jang lim han oh seo shin kwon hwang ahn song yoo hong bae',
);
export const VIETNAMESE = lists(
  'nguyen tran le pham huynh hoang phan vu vo dang bui do ho ngo duong ly dinh trinh mai luong',
);
export const JAPANESE = lists(`
sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi matsumoto
inoue kimura hayashi shimizu yamazaki mori abe ikeda hashimoto ishikawa ogawa fujita okada goto hasegawa murakami kondo
ishii saito sakamoto endo aoki fujii nishimura fukuda ota miura fujiwara okamoto matsuda nakajima harada ueda fujimoto
`);
export const HUNGARIAN = lists(`
nagy kovacs toth szabo horvath varga kiss molnar nemeth farkas balogh papp takacs juhasz lakatos meszaros olah simon racz
fekete szilagyi torok feher balazs gal kis szucs kocsis pinter fodor orsos szalai sipos magyar lukacs gulyas biro kiraly
katona laszlo jakab bogdan boros fazekas kelemen somogyi antal orban szekely vass hegedus puskas bartok kertesz
`);
/** Spanish and Portuguese ones, of which people have two. */
export const IBERIAN = lists(`
garcia gonzalez rodriguez fernandez lopez martinez sanchez perez gomez martin jimenez ruiz hernandez diaz moreno munoz
alvarez romero alonso gutierrez navarro torres dominguez vazquez ramos gil ramirez serrano blanco molina morales suarez
ortega delgado castro ortiz rubio marin sanz nunez iglesias medina garrido cortes castillo santos lozano guerrero cano
prieto mendez cruz calvo gallego vidal leon marquez herrera flores pena cabrera campos vega fuentes carrasco diez reyes
aguilar pascual santana herrero lorenzo hidalgo montero ibanez gimenez ferrer duran vicente benitez mora santiago arias
vargas carmona crespo pastor soto saez velasco soler moya esteban parra bravo gallardo rojas silva souza sousa oliveira
pereira lima carvalho almeida ferreira ribeiro rodrigues gomes costa martins barbosa alves araujo melo rocha teixeira
correia nogueira nascimento mendoza salazar guzman espinoza rivera contreras valdez zapata
`);

/** Endings that no given name has. */
const ENDINGS =
  /(?:sen|mann|berg|ski|sky|skii|skiy|ska|skaya|cki|cka|wicz|vich|vic|ova|ov|ev|eva|enko|yan|ian|shvili|dze|escu|oglu|akis|opoulos|chuk|yuk|kaite|aitis|auskas)$/;

export function hasFamilyEnding(key: string): boolean {
  return key.length > 4 && ENDINGS.test(key);
}

const PATRONYMIC = /(?:ovich|evich|yevich|ovych|evych|yovych|ovna|evna|yevna|ivna|yivna|inichna|ichna)$/;

export function isPatronymic(key: string): boolean {
  return key.length > 5 && PATRONYMIC.test(key);
}
